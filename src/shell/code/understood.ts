/** What the languages share: words that are known, and calls that start a program from plain texts. */
import type { Token } from './tokens.js';

/** The shell lines that code starts; undefined if it is not understood. */
export type Started = readonly string[] | undefined;

export const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const isSign = (token: Token | undefined, text: string): boolean =>
  token?.kind === 'sign' && token.text === text;
export const isWord = (token: Token | undefined, text?: string): boolean =>
  token?.kind === 'word' && (text === undefined || token.text === text);

const OPENS = words('( [ { ${');
const CLOSES = words(') ] } }$');
/** Options of calls that start a program, and values of them, that do not say what is started. */
const OPTIONS = words(
  'encoding stdio cwd timeout maxBuffer text capture_output check shell universal_newlines stdout stderr errors windowsHide exception',
);
const VALUES = words('True False None true false null undefined subprocess PIPE DEVNULL STDOUT File');

const ENDS = new WeakMap<readonly Token[], ReadonlyMap<number, number>>();

/** The position after the bracket that closes the one at `open`. */
export function afterBracket(tokens: readonly Token[], open: number): number {
  const ends = ENDS.get(tokens) ?? endsOf(tokens);
  ENDS.set(tokens, ends);
  return ends.get(open) ?? tokens.length;
}

function endsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach(({ kind, text }, at) => {
    if (kind === 'sign' && OPENS.has(text)) open.push(at);
    const start = kind === 'sign' && CLOSES.has(text) ? open.pop() : undefined;
    if (start !== undefined) ends.set(start, at + 1);
  });
  return ends;
}

/**
 * The lines that a call starts whose arguments are the tokens: undefined unless each is a plain text, and every option
 * is one that does not matter.
 */
export function linesStarted(args: readonly Token[], name = ''): Started {
  const texts: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const token = args[at] as Token;
    const next = args[at + 1];
    if (token.kind === 'text') {
      if (!isPlainLine(token) || next?.kind === 'text') return undefined;
      texts.push(token.text);
    } else if (token.kind === 'word' && OPTIONS.has(token.text) && (isSign(next, '=') || isSign(next, ':'))) {
      at += 2;
      if (!isValue(args[at])) return undefined;
      while (isSign(args[at + 1], '.') && isValue(args[at + 2])) at += 2;
      if (args[at + 1] !== undefined && !/^[,})]$/.test(args[at + 1]?.text ?? '')) return undefined;
    } else if (token.kind !== 'sign' || !/^[,[\](){}]$/.test(token.text)) return undefined;
  }
  if (texts.length === 0) return undefined;
  const line = texts.length === 1 ? (texts[0] ?? '') : texts.map(quoted).join(' ');
  // The second argument of these is what the program calls itself.
  const isRenamed = /^(?:exec|p?spawn|posix_spawn)[lv]/.test(name);
  return isRenamed ? [line, texts.toSpliced(1, 1).map(quoted).join(' ')] : [line];
}

/** The tokens in the brackets that open at the position; undefined if none do. */
export function argumentsAt(tokens: readonly Token[], open: number): readonly Token[] | undefined {
  return isSign(tokens[open], '(') ? tokens.slice(open + 1, afterBracket(tokens, open) - 1) : undefined;
}

/** What a call starts whose arguments are in brackets. */
export function startedByCall(tokens: readonly Token[], open: number, name?: string): Started {
  const args = argumentsAt(tokens, open);
  return args && linesStarted(args, name);
}

function isValue(token: Token | undefined): boolean {
  if (token?.kind === 'word') return VALUES.has(token.text);
  return token?.kind === 'number' || (token?.kind === 'text' && token.plain);
}

/** A text in which no language, and no shell, fills anything in. */
export function isPlainLine({ text, plain, opener = '' }: Token): boolean {
  return plain && !/[$`\\#@]/.test(text) && !/[fb]/i.test(opener);
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Collects the lines of all calls; undefined as soon as one of them is not understood. */
export class Lines {
  readonly found: string[] = [];
  isUnderstood = true;

  add(lines: Started): undefined {
    if (lines === undefined) this.isUnderstood = false;
    else this.found.push(...lines);
  }

  get result(): Started {
    return this.isUnderstood ? this.found : undefined;
  }
}

/** Whether the text is put together from pieces, at this token, in a way that a name could come out. */
export function assembles(tokens: readonly Token[], at: number, operators: RegExp): boolean {
  const token = tokens[at] as Token;
  const next = tokens[at + 1];
  if (token.kind !== 'text') return false;
  if (!token.plain) return true;
  const isPiece = /\w/.test(token.text);
  const joins = (other: Token | undefined): boolean => other?.kind === 'sign' && operators.test(other.text);
  return (
    (isPiece && (joins(next) || joins(tokens[at - 1]) || next?.kind === 'text')) ||
    (isPiece && next?.kind === 'sign' && (next.text === '[' || next.text === '%') && !next.first)
  );
}

/** A text that may be code or a line in which something is filled in, decoded or handed on. */
const DOUBTFUL_LINE = /[$`'"(]|\|\s*\S|\b(?:eval|base64|xxd)\b/;

/**
 * Whether a text that the code puts together may get to a function that is not known. What is only printed does not.
 * `isPrint` says whether the word at a position is a function that prints.
 */
export function handsOverTexts(
  tokens: readonly Token[],
  isPrint: (tokens: readonly Token[], at: number) => boolean,
  makesText: RegExp,
  operators: RegExp,
): boolean {
  /** For each open bracket, whether what is directly in it is printed. */
  const printed = [false];
  return tokens.some(({ kind, text }, at) => {
    const outer = printed.at(-1) ?? false;
    if (kind === 'sign' && OPENS.has(text)) {
      const before = tokens[at - 1];
      const isCall = text === '(' && (before?.kind === 'word' || CLOSES.has(before?.text ?? ''));
      printed.push(isCall ? isPrint(tokens, at - 1) : outer);
    } else if (kind === 'sign' && CLOSES.has(text)) printed.pop();
    else if (outer) return false;
    else if (kind === 'word') return makesText.test(text);
    else if (kind === 'text') return assembles(tokens, at, operators) || DOUBTFUL_LINE.test(text);
    // `a[0] + a[3]`, `a[::2]`.
    else if (text === '+' || text === '+=') return isOpen(tokens[at - 1]) || isOpen(tokens[at + 1]);
    return kind === 'sign' && text === ':' && isSlice(tokens, at);
  });
}

const isOpen = (token: Token | undefined): boolean => token !== undefined && token.kind !== 'number';

function isSlice(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  return isSign(before, '[') || isSign(before, ':') || isSign(after, ']');
}
