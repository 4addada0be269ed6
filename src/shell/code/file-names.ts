/** Whether the name of a file that code opens is given: a plain text, an operand, or what a plain folder contains. */
import type { Token } from './tokens.js';
import { afterBracket, isPlainLine, isSign, isWord, words } from './understood.js';

/** They lead to operands, list a folder, or put a path together of whole names. */
const KNOWN = words(
  'os path Path PurePath pathlib glob iglob rglob listdir scandir walk iterdir fwalk sys argv abspath realpath expanduser normpath fspath str basename dirname name parent resolve absolute sorted list set tuple enumerate in of if is_file isfile exists endswith startswith suffix not __file__ getcwd ' +
    'require fs process cwd readdirSync readdir globSync import meta url filename dirname __dirname __filename await new URL node promises filter forEach map endsWith startsWith sort isFile const let var for entries ' +
    'my sort grep curdir rel2abs catfile ARGV shift $ARGV @ARGV File Spec Basename ' +
    'Dir File children expand_path each select reject sort_by Pathname first arg argc $argv scandir realpath __DIR__ foreach as local true false null withFileTypes recursive utf8 encoding',
);
/** Their values become part of what they are called on. */
const ADDS = /^(?:append|push|extend|insert|add|unshift|concat|update|prepend)$/;
const ADDS_TO = /^(?:push|unshift|splice)$/;
const JOINS = /^(?:\+|\.\.)$/;
/** What fills something in, in each language's texts. */
const INSERTED = /\$\{[^{}]*\}|#\{[^{}]*\}|\{[^{}]*\}|[$@]\w+/g;
const NEVER = /^(?:\?|%|\*|<<|\*\*|[-+*/.|&]=|\|\|=|\?\?)$/;
const ENDS_FOR = /^(?::|do|\{|if|unless|then|\])$/;
const MAX_STEPS = 200;

export class FileNames {
  /** Texts that a path is put together of, as that path. */
  readonly joined: string[] = [];
  #steps = 0;

  /** `dot`: a full stop joins texts in the language. */
  constructor(
    readonly tokens: readonly Token[],
    readonly dot: boolean,
  ) {}

  /** Whether the tokens give no name that is only known when the code runs. */
  areGiven(from: number, to: number, open: readonly string[] = []): boolean {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) return false;
    const texts: string[] = [];
    for (let at = from; at < to; at++) {
      const token = this.tokens[at] as Token;
      if (token.kind === 'text') {
        if (!this.#isGivenText(at, open)) return false;
        texts.push(token.text);
      } else if (token.kind === 'word' ? !this.#isGivenWord(at, open) : !this.#isHarmless(at)) return false;
    }
    if (texts.length > 1) this.joined.push(texts.join('/'));
    return true;
  }

  #isGivenText(at: number, open: readonly string[]): boolean {
    const token = this.tokens[at] as Token;
    const next = this.tokens[at + 1];
    // Two texts next to each other are one in some languages.
    if (next?.kind === 'text') return false;
    if (isSign(next, '[') && !next?.first) return false;
    if (isPlainLine(token)) return true;
    if (/[\\`]/.test(token.text)) return false;
    const pieces = token.text.split(INSERTED);
    const isWhole = pieces.every(
      (piece, index) =>
        piece === '' ||
        ((index === 0 || /^\/|^\.\w+$/.test(piece)) && (index === pieces.length - 1 || piece.endsWith('/'))),
    );
    const names = token.text.match(/[$@]\w+/g) ?? [];
    return isWhole && !/[$@#]/.test(pieces.join('')) && names.every((name) => this.#isGivenName(name, open));
  }

  #isHarmless(at: number): boolean {
    const { kind, text } = this.tokens[at] as Token;
    if (kind === 'number') return true;
    if (kind === 'pattern') return /^<[^$]*[*?.].*>$/.test(text);
    // `argv[1:]`, no other part of a text.
    if (text === ':') return isWord(this.tokens[at - 3], 'argv') && isSign(this.tokens[at - 2], '[');
    if (NEVER.test(text)) return false;
    if (!JOINS.test(text) && !(this.dot && text === '.')) return true;
    const [left, right] = [this.tokens[at - 1], this.tokens[at + 1]];
    if (isWord(right) && left?.kind !== 'text' && text === '.' && !this.dot) return true;
    return (
      (left?.kind === 'text' && left.text.endsWith('/')) ||
      (right?.kind === 'text' && /^\/|^\.\w+$/.test(right.text) && left?.kind !== 'text')
    );
  }

  #isGivenWord(at: number, open: readonly string[]): boolean {
    const { text } = this.tokens[at] as Token;
    const before = this.tokens[at - 1];
    const isMember =
      isSign(before, '.') || isSign(before, '->') || isSign(before, '::') || isSign(before, '?.');
    // `path.join`, not `"".join`.
    if (text === 'join') return isMember && /^(?:path|posix|File)$/.test(this.tokens[at - 2]?.text ?? '');
    if (isMember && !this.dot) return KNOWN.has(text);
    return this.#isGivenName(text, open) || (KNOWN.has(text) && !this.#isBound(text));
  }

  #isBound(name: string): boolean {
    return this.tokens.some((token, at) => isWord(token, name) && isSign(this.tokens[at + 1], '='));
  }

  /** Whether everything that the name may stand for is given. */
  #isGivenName(name: string, open: readonly string[]): boolean {
    if (open.includes(name)) return true;
    const bare = bareOf(name);
    const inner = [...open, name];
    let isFound = false;
    const given = this.tokens.every((_, at) => {
      const range = this.#boundAt(at, bare);
      if (range === undefined) return true;
      isFound = true;
      return range !== null && this.areGiven(range[0], range[1], inner);
    });
    return isFound && given;
  }

  /** What the name gets at a position: the tokens from one to the other; null if it is not known. */
  #boundAt(at: number, name: string): readonly [number, number] | null | undefined {
    const { tokens } = this;
    const token = tokens[at] as Token;
    const has = (from: number, to: number): boolean =>
      tokens.slice(from, to).some((each) => each.kind === 'word' && bareOf(each.text) === name);
    if (token.kind === 'sign' && (token.text === '=' || token.text === ':='))
      return has(this.#startOf(at), at) ? [at + 1, this.#endOf(at + 1)] : undefined;
    if (token.kind === 'sign' && /^[-+*/.|&]=$|^\|\|=$|^<<$/.test(token.text))
      return has(this.#startOf(at), at) ? null : undefined;
    if (isWord(token, 'for') || isWord(token, 'foreach')) return this.#boundByLoop(at, has);
    if (isWord(token, 'def') || isWord(token, 'function') || isWord(token, 'lambda') || isWord(token, 'sub'))
      return this.#boundByFunction(at, name, has);
    if (isSign(token, '=>')) {
      const start = isSign(tokens[at - 1], ')') ? this.#openOf(at - 1) : at - 1;
      if (!has(start, at)) return undefined;
      return isSign(tokens[start - 1], '(') ? [this.#startOf(start - 1), start - 1] : null;
    }
    if (isSign(token, '|') && isWord(tokens[at + 1]) && isSign(tokens[at - 1], '{') && has(at + 1, at + 2))
      return [this.#startOf(at - 1), at - 1];
    if (token.kind !== 'word' || bareOf(token.text) !== name) return undefined;
    if (ADDS_TO.test(tokens[at - 1]?.text ?? '')) return [at + 1, this.#endOf(at + 1)];
    return ADDS.test(tokens[at + 2]?.text ?? '') && isSign(tokens[at + 3], '(')
      ? [at + 4, afterBracket(tokens, at + 3) - 1]
      : undefined;
  }

  /** `for a, b in x`, `for (const a of x)`, `for my $a (x)`, `foreach (x as $a)`. */
  #boundByLoop(
    at: number,
    has: (from: number, to: number) => boolean,
  ): readonly [number, number] | undefined {
    const { tokens } = this;
    const near = tokens.slice(at, at + 14);
    const within = near.findIndex((token) => isWord(token, 'in') || isWord(token, 'of'));
    if (within > 0 && has(at + 1, at + within)) return [at + within + 1, this.#endOf(at + within + 1, true)];
    const bracket = near.findIndex((token) => isSign(token, '('));
    if (within > 0 || bracket < 0) return undefined;
    const [open, end] = [at + bracket, afterBracket(tokens, at + bracket) - 1];
    const as = tokens.slice(open, end).findIndex((token) => isWord(token, 'as'));
    if (as > 0) return has(open + as, end) ? [open + 1, open + as] : undefined;
    return has(at + 1, open) ? [open + 1, end] : undefined;
  }

  /** A function of the code: what it gives back. What its parameters stand for is not looked up. */
  #boundByFunction(
    at: number,
    name: string,
    has: (from: number, to: number) => boolean,
  ): readonly [number, number] | null | undefined {
    const { tokens } = this;
    const isNamed = isWord(tokens[at + 1]) && !isWord(tokens[at], 'lambda');
    const open = at + (isNamed ? 2 : 1);
    const end = isSign(tokens[open], '(') ? afterBracket(tokens, open) : this.#endOf(open, true);
    if (has(open, end)) return null;
    if (!isNamed || bareOf(tokens[at + 1]?.text ?? '') !== name) return undefined;
    const given = tokens.flatMap((token, index) =>
      isWord(token, 'return') || isWord(token, 'yield') ? [index + 1] : [],
    );
    const isGiven = given.length > 0 && given.every((from) => this.areGiven(from, this.#endOf(from), [name]));
    return isGiven ? [at, at] : null;
  }

  #startOf(at: number): number {
    let depth = 0;
    for (let start = at; start > 0; start--) {
      const before = this.tokens[start - 1] as Token;
      if (this.tokens[start]?.first && depth === 0) return start;
      if (before.kind !== 'sign') continue;
      if (/^[)\]]$|^\}\$?$/.test(before.text)) depth += 1;
      if (/^[([]$|^(?:\$)?\{$/.test(before.text)) depth -= 1;
      if (depth < 0 || (depth === 0 && /^[;}]$/.test(before.text))) return start;
    }
    return 0;
  }

  #endOf(from: number, isLoop = false): number {
    for (let at = from; at < this.tokens.length; at++) {
      const token = this.tokens[at] as Token;
      if (at > from && token.first) return at;
      if (token.kind === 'sign' && /^(?:[;)\]}]|\}\$)$/.test(token.text)) return at;
      if (isLoop && ENDS_FOR.test(token.text) && token.kind !== 'text') return at;
      if (token.kind === 'sign' && /^(?:[([{]|\$\{)$/.test(token.text))
        at = afterBracket(this.tokens, at) - 1;
    }
    return this.tokens.length;
  }

  #openOf(close: number): number {
    let at = close;
    while (at > 0 && afterBracket(this.tokens, at) !== close + 1) at -= 1;
    return at;
  }
}

/** Without the sign in front of a variable: `$x[0]` is of `@x`. */
const bareOf = (name: string): string => name.replace(/^[$@%]/, '');
