/** Which files code in another language opens: none that is only known when it runs, or any. */
import { FileNames } from './file-names.js';
import { JAVASCRIPT } from './javascript.js';
import { AWK, LUA } from './listed.js';
import { PERL } from './perl.js';
import { PHP } from './php.js';
import { PYTHON } from './python.js';
import { RUBY } from './ruby.js';
import type { CodeLanguage } from './started-lines.js';
import { type Language, type Token, tokenize } from './tokens.js';
import { afterBracket, isSign, isWord } from './understood.js';

interface Opening {
  readonly language: Language;
  /** Functions that open the file that an argument names. */
  readonly opens: RegExp;
  /** The same, of modules and classes with these names alone. */
  readonly owned?: readonly (readonly [owner: RegExp, opens: RegExp])[];
  /** Without brackets around the arguments. */
  readonly bare?: boolean;
  readonly dot?: boolean;
}

const LANGUAGES: Partial<Record<CodeLanguage, Opening>> = {
  python: {
    language: PYTHON,
    opens:
      /^(?:open|open_code|(?:Pure)?(?:Posix|Windows)?Path|FileIO|ZipFile|PyZipFile|TarFile|GzipFile|BZ2File|LZMAFile|urlopen|urlretrieve|Request|copy2|copyfile|copytree|joinpath|with_name|with_suffix|with_stem|hardlink_to|symlink_to|readlink|load_cert_chain|FileHandler|read_(?!text|bytes)\w+|loadtxt|genfromtxt|fromfile|memmap|make_archive|unpack_archive|getlines?|updatecache)$/,
    owned: [
      [/^(?:shutil|fileinput|linecache|tarfile|zipfile|tokenize)$/, /./],
      [/^os$/, /^(?:link|symlink|rename|renames|replace)$/],
      [/^sqlite3$/, /^connect$/],
    ],
  },
  javascript: {
    language: JAVASCRIPT,
    opens:
      /^(?:(?:readFile|open|copyFile|cp|rename|link|symlink|readlink)(?:Sync)?|createReadStream|ReadStream|FileReadStream|openAsBlob|loadEnvFile)$/,
  },
  perl: {
    language: PERL,
    opens: /^(?:open|sysopen|rename|link|symlink|readlink|copy|cp|move|mv|read_file|slurp|tie|new|do)$/,
    bare: true,
    dot: true,
  },
  ruby: {
    language: RUBY,
    opens: /^(?:Pathname)$/,
    owned: [
      [
        /^(?:File|IO|Pathname|YAML|Psych|CSV|JSON|FileUtils|BigDecimal|ARGV|ARGF)$/,
        /^(?:read\w*|bin\w*|open|new|foreach|load_file|copy_stream|cp\w*|mv|ln\w*|install|rename|link|symlink|table|replace|push|concat|unshift|append|insert)$/,
      ],
    ],
    bare: true,
  },
  php: {
    language: PHP,
    opens:
      /^(?:file_get_contents|file|fopen|readfile|copy|rename|link|symlink|parse_ini_file|show_source|highlight_file|gzopen|gzfile|readgzfile|\w+_file)$/i,
    dot: true,
  },
  lua: {
    language: LUA,
    opens: /^$/,
    owned: [
      [/^io$/, /^(?:open|lines|input)$/],
      [/^os$/, /^rename$/],
    ],
  },
};

/** The paths that code puts together of plain texts; undefined if a file that it opens is only known when it runs. Contract: pure. */
export function filesOpened(language: CodeLanguage | undefined, code: string): readonly string[] | undefined {
  if (language === 'awk') return isGivenToAwk(code) ? [] : undefined;
  const opening = language === undefined ? undefined : LANGUAGES[language];
  if (opening === undefined) return [];
  const tokens = tokenize(code, opening.language);
  return tokens && new OpeningCode(tokens, opening).read();
}

class OpeningCode {
  readonly #names: FileNames;
  /** Functions that are imported from a module of which only some open files. */
  readonly #imported: ReadonlySet<string>;

  constructor(
    readonly tokens: readonly Token[],
    readonly opening: Opening,
  ) {
    this.#names = new FileNames(tokens, opening.dot === true);
    this.#imported = new Set(opening.owned?.flatMap(([owner, opens]) => importedFrom(tokens, owner, opens)));
  }

  read(): readonly string[] | undefined {
    const isGiven = this.tokens.every((token, at) => {
      if (
        isSign(token, '(') &&
        /^[)\]]$/.test(this.tokens[at - 1]?.text ?? '') &&
        this.tokens[at - 1]?.kind === 'sign'
      )
        return this.#isCallOfValueGiven(at);
      if (isSign(token, '<<') && isWord(this.tokens[at - 1], 'ARGV'))
        return this.#names.areGiven(at + 1, endOfStatement(this.tokens, at + 1));
      if (isSign(token, '/') && this.#joinsPaths) return this.#isPartGiven(at + 1);
      return token.kind !== 'word' || !this.#opens(at) || this.#isGiven(at);
    });
    return isGiven ? this.#names.joined : undefined;
  }

  /** `Path("a") / name`. */
  get #joinsPaths(): boolean {
    return (
      this.opening.language === PYTHON &&
      this.tokens.some((token) => isWord(token) && /Path$/.test(token.text))
    );
  }

  get #packs(): boolean {
    return this.opening.language === PYTHON && this.tokens.some(({ text }) => /^(?:zip|tar)file$/.test(text));
  }

  #isPartGiven(at: number): boolean {
    return this.#names.areGiven(at, isSign(this.tokens[at], '(') ? afterBracket(this.tokens, at) : at + 1);
  }

  #opens(at: number): boolean {
    const { tokens, opening } = this;
    const { text } = tokens[at] as Token;
    const before = tokens[at - 1];
    const isMember = isSign(before, '.') || isSign(before, '::') || isSign(before, '->');
    if (opening.opens.test(text)) return true;
    const owner = tokens[at - 2]?.text ?? '';
    if (this.#imported.has(isMember ? owner : text)) return true;
    if (!isMember) return false;
    // Members of an archive are files of the folder.
    if (this.#packs && /^(?:write|add)$/.test(text)) return true;
    return opening.owned?.some(([of, opens]) => of.test(owner) && opens.test(text)) ?? false;
  }

  #isGiven(at: number): boolean {
    const { tokens, opening } = this;
    const { text } = tokens[at] as Token;
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (isWord(before, 'def') || isWord(before, 'function') || isWord(before, 'sub')) return true;
    if (isSign(next, '(')) return this.#isArgumentGiven(at + 2, afterBracket(tokens, at + 1) - 1, text);
    if (next?.kind === 'text' && !opening.bare) return this.#names.areGiven(at + 1, at + 2);
    if (isListed(tokens, at)) return true;
    if (opening.bare && !isSign(next, '.') && !isSign(next, '=>'))
      return this.#isArgumentGiven(at + 1, endOfStatement(tokens, at + 1), text);
    // `Path.cwd()`, `p.link`, a variable of that name: what is neither called nor handed on opens nothing.
    return isSign(next, '.') || isSign(next, '=');
  }

  /** The first argument; of perl's `open` all but the first, which is what the file is called from then on. */
  #isArgumentGiven(from: number, to: number, name: string): boolean {
    const commas = argumentsIn(this.tokens, from, to);
    const isHandleFirst = this.opening.dot === true && /^(?:sys)?open$|^tie$/.test(name);
    const start = isHandleFirst ? (commas[0] ?? to) + 1 : from;
    const end = isHandleFirst ? to : (commas[0] ?? to);
    if (!isHandleFirst) return this.#names.areGiven(start, end);
    const ends = [...commas.slice(1), to];
    return ends.every((each, index) => this.#names.areGiven((commas[index] ?? from) + 1, each));
  }

  /** `x[1](…)`: which function that is is not known. */
  #isCallOfValueGiven(at: number): boolean {
    return this.#names.areGiven(at + 1, afterBracket(this.tokens, at) - 1);
  }
}

const IMPORT = 'import';

/** `import { readFile, writeFile } from 'fs'`, `from pathlib import Path`. */
function isListed(tokens: readonly Token[], at: number): boolean {
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  if (isWord(next, 'as') || isSign(next, ':')) return false;
  if (isWord(before, IMPORT)) return true;
  const isInBraces = /^[{,]$/.test(before?.text ?? '') && /^[,}]$/.test(next?.text ?? '');
  let start = at;
  while (start > 0 && /^,$|^\w+$/.test(tokens[start - 1]?.text ?? '') && !isWord(tokens[start], IMPORT))
    start -= 1;
  if (isWord(tokens[start], IMPORT)) return true;
  return isInBraces && isSign(tokens[start - 1], '{') && isBinding(tokens[start - 2]);
}

const isBinding = (token: Token | undefined): boolean =>
  token?.kind === 'word' && /^(?:import|const|let|var)$/.test(token.text);

/** The names that code imports from a module; a module by another name makes every name one. */
function importedFrom(tokens: readonly Token[], owner: RegExp, opens: RegExp): readonly string[] {
  return tokens.flatMap((token, at) => {
    if (token.kind !== 'word' || !owner.test(token.text)) return [];
    if (tokens[at - 1]?.text === 'from' && isWord(tokens[at + 1], IMPORT)) {
      let end = at + 2;
      while (end < tokens.length && !tokens[end]?.first && !isSign(tokens[end], ';')) end += 1;
      const names = tokens.slice(at + 2, end).filter(({ kind }) => kind === 'word');
      return names.some(({ text }) => text === 'as')
        ? names.map(({ text }) => text)
        : names.map(({ text }) => text).filter((name) => opens.test(name));
    }
    const isRenamed = isWord(tokens[at + 1], 'as');
    return isRenamed ? [tokens[at + 2]?.text ?? ''] : [];
  });
}

function endOfStatement(tokens: readonly Token[], from: number): number {
  let at = from;
  while (at < tokens.length) {
    const token = tokens[at] as Token;
    const isEnd =
      (token.kind === 'sign' && /^(?:[;)\]}]|\|\||&&|\}\$)$/.test(token.text)) ||
      (token.kind === 'word' && /^(?:or|and|if|unless|for|foreach|do)$/.test(token.text)) ||
      (token.first && at > from);
    if (isEnd) return at;
    at = token.kind === 'sign' && /^(?:[([{]|\$\{)$/.test(token.text) ? afterBracket(tokens, at) : at + 1;
  }
  return at;
}

/** The positions of the commas between arguments. */
function argumentsIn(tokens: readonly Token[], from: number, to: number): readonly number[] {
  const commas: number[] = [];
  for (let at = from; at < to; at++) {
    const token = tokens[at] as Token;
    if (token.kind !== 'sign') continue;
    if (token.text === ',') commas.push(at);
    if (/^(?:[([{]|\$\{)$/.test(token.text)) at = afterBracket(tokens, at) - 1;
  }
  return commas;
}

/** `getline < name`, `ARGV[1] = name`: each name is a plain text. */
function isGivenToAwk(code: string): boolean {
  const tokens = tokenize(code, AWK);
  if (tokens === undefined) return false;
  const isPlain = (from: number): boolean => {
    const at = isSign(tokens[from], '(') ? from + 1 : from;
    const [name, next] = [tokens[at], tokens[at + 1]];
    const isVariable =
      isWord(name) && !tokens.some((token, index) => isWord(token, name?.text) && isSet(tokens, index));
    return (
      ((name?.kind === 'text' && name.plain) || isVariable) &&
      (next === undefined || next.first || (next.kind === 'sign' && /^[;)}>]$|^&&$|^\|\|$/.test(next.text)))
    );
  };
  return tokens.every((token, at) => {
    if (isWord(token, 'ARGV')) {
      const end = isSign(tokens[at + 1], '[') ? afterBracket(tokens, at + 1) : at + 1;
      return /^[-+*/]?=$/.test(tokens[end]?.text ?? '') ? isPlain(end + 1) : isSign(tokens[at + 1], '[');
    }
    if (!isWord(token, 'getline')) return true;
    const into = tokens.slice(at + 1, at + 12).findIndex((each) => isSign(each, '<'));
    const isFrom =
      into === 0 ||
      (into > 0 && tokens.slice(at + 1, at + 1 + into).every(({ kind, first }) => kind !== 'text' && !first));
    return !isFrom || isPlain(at + 2 + into);
  });
}

/** A variable that the script sets, or a field. */
function isSet(tokens: readonly Token[], at: number): boolean {
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  return (
    /^(?:=|[-+*/%^]=|\+\+|--|\[|\()$/.test(next?.text ?? '') ||
    /^(?:getline|in|\(|,)$/.test(before?.text ?? '') ||
    isSign(before, '$') ||
    isWord(next, 'in')
  );
}
