/** Which shell lines JavaScript code starts, if it is understood. */
import { type Language, type Token, tokenize } from './tokens.js';
import {
  afterBracket,
  argumentsAt,
  assembles,
  handsOverTexts,
  isSign,
  isWord,
  Lines,
  linesStarted,
  type Started,
  words,
} from './understood.js';

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const PATTERN = /\/(?![*/])(?:[^\\/[\n]|\\[^\n]|\[(?:[^\\\]\n]|\\[^\n])*\])+\/[a-z]*/y;
/** After these words a slash begins a pattern. */
const BEFORE_PATTERN = words('return typeof case in of delete void throw new else do await yield instanceof');

export const JAVASCRIPT: Language = {
  tokens:
    /(?<gap>[ \t\n]+)|(?<word>#?[A-Za-z_$][\w$]*)|(?<number>\d[\w.]*|\.\d\w*)|(?<sign>\.\.\.|=>|\?\.(?!\d)|[-+*/%&|^<>=!?]?=|\*\*|\+\+|--|&&|\|\||\?\?|[-+*/%&|^~<>=!?:;,.()[\]{}@])/y,
  special(reader) {
    const { rest } = reader;
    if (reader.code.startsWith('<!--', reader.at) || reader.code.startsWith('-->', reader.at))
      return reader.unclear();
    if (rest === '/') {
      const [gap] = reader.match(COMMENT) ?? [];
      if (gap !== undefined) reader.skip(gap.length);
      else if (beginsPattern(reader.last)) {
        const [pattern] = reader.match(PATTERN) ?? [];
        if (pattern === undefined) return reader.unclear();
        reader.add('pattern', pattern);
        reader.at += pattern.length;
      } else return false;
      return true;
    }
    if (rest !== '"' && rest !== "'" && rest !== '`') return false;
    reader.at += 1;
    reader.readText(rest, rest, rest === '`' ? '${' : undefined);
    return true;
  },
};

/** After `)` and `}` it depends on what they close, so both have to be read alike: see `isDivision`. */
function beginsPattern(last: Token | undefined): boolean {
  if (last === undefined) return true;
  if (last.kind === 'word') return BEFORE_PATTERN.has(last.text);
  return last.kind === 'sign' && !/^(?:[)\]}]|\}\$|\+\+|--)$/.test(last.text);
}

const HARMLESS = words(
  'assert assert/strict buffer console crypto dns events fs fs/promises http http2 https net os path path/posix path/win32 perf_hooks punycode querystring readline readline/promises stream stream/promises string_decoder timers timers/promises tls tty url util v8 zlib',
);
const PROCESS = words(
  'argv argv0 env version versions platform arch cwd chdir exit exitCode stdout stderr stdin uptime memoryUsage resourceUsage hrtime pid ppid nextTick on once off title release config cpuUsage execPath execArgv emitWarning umask getuid getgid kill features abort',
);
const STARTS = words('exec execSync execFile execFileSync spawn spawnSync fork');
/** Words, also in texts, that lead to other modules or run a text. */
const LEADS =
  /^(?:eval|Function|constructor|__proto__|__defineGetter__|__lookupGetter__|binding|_linkedBinding|mainModule|dlopen|_load|_compile|_extensions|_resolveFilename|getBuiltinModule|createRequire|globalThis|global|self|window|Reflect|Proxy|child_process|worker_threads|vm|cluster|repl|inspector|Bun|Deno|getOwnPropertyDescriptors?|getOwnPropertyNames|getPrototypeOf|setPrototypeOf|with|Worker|WebAssembly|runInThisContext|runInNewContext|compileFunction|importScripts|process_binding|registerHooks|openStdin|ShadowRealm|AsyncFunction|caller|callee|Module)$/;
const NAMED_IN_TEXT =
  /\b(?:child_process|constructor|mainModule|getBuiltinModule|createRequire|worker_threads|__proto__)\b/;
const CHANGES =
  /^(?:write\w*|appendFile\w*|chmod\w*|rename\w*|symlink\w*|link\w*|copyFile\w*|cp|cpSync|env|chdir|createWriteStream|end|pipe)$/;
const MAKES_TEXT =
  /^(?:fromCharCode|fromCodePoint|atob|btoa|Buffer|decode\w*|unescape|join|replace|replaceAll|concat|reverse|slice|substr|substring|at|charAt|padStart|padEnd|repeat|split|trim|argv|env|stdin|raw|inflate\w*|gunzip\w*|normalize|pop|shift)$/;
const OPERATORS = /^\+=?$/;
/** The longest calculation of an index that is looked at. */
const MAX_INDEX = 100;
const JOINS = /^(?:join|concat|replace|replaceAll)$/;
/** Names that lead to everything else, and those of functions that start a program. */
const NAMES = [
  'constructor',
  '__proto__',
  'mainModule',
  'binding',
  'getBuiltinModule',
  'execSync',
  'spawnSync',
];
/** They could give a name of the language that no text in the code has. */
const HIDES_NAME =
  /^(?:fromCharCode|fromCodePoint|atob|decode\w*|unescape|reverse|argv|env|stdin|raw|inflate\w*|gunzip\w*)$/;

/** Contract: pure. */
export function startedByJavaScript(code: string): Started {
  const tokens = /^#!/.test(code)
    ? tokenize(code.replace(/^[^\n]*/, ''), JAVASCRIPT)
    : tokenize(code, JAVASCRIPT);
  return tokens && !isDivisionDoubtful(tokens) ? new JavaScriptCode(tokens).read() : undefined;
}

/** `if (x) /"/.test(y)`: a slash after the bracket of a condition begins a pattern; after a block too. */
function isDivisionDoubtful(tokens: readonly Token[]): boolean {
  const heads: boolean[] = [];
  let closed = false;
  return tokens.some((token, at) => {
    const wasHead = closed;
    closed = false;
    if (isSign(token, '(')) heads.push(/^(?:if|while|for|with)$/.test(tokens[at - 1]?.text ?? ''));
    if (isSign(token, ')')) closed = heads.pop() ?? false;
    const isSlash = isSign(token, '/') || isSign(token, '/=');
    return (
      isSlash &&
      (wasHead || isSign(tokens[at - 1], '}') || isSign(tokens[at - 1], '++') || isSign(tokens[at - 1], '--'))
    );
  });
}

class JavaScriptCode {
  readonly #lines = new Lines();
  /** Names of `child_process`, and of its functions. */
  readonly #modules = new Set<string>();
  readonly #starters = new Map<string, string>();
  #isUnfamiliar = false;
  #indexKnown: boolean | undefined;

  constructor(readonly tokens: readonly Token[]) {}

  read(): Started {
    for (let at = 0; at < this.tokens.length && this.#lines.isUnderstood; at++) {
      const token = this.tokens[at] as Token;
      if (token.kind === 'word') this.#word(at);
      else if (token.kind === 'text') this.#text(at);
      else if (isSign(token, '[')) this.#computed(at);
    }
    if (this.#isUnfamiliar && handsOverTexts(this.tokens, isPrint, MAKES_TEXT, OPERATORS)) return undefined;
    const isStarting = this.#lines.found.length > 0;
    const changes = isStarting && this.tokens.some(({ kind, text }) => kind === 'word' && CHANGES.test(text));
    return changes ? undefined : this.#lines.result;
  }

  #give(): undefined {
    this.#lines.add(undefined);
  }

  #word(at: number): undefined {
    const { tokens } = this;
    const { text } = tokens[at] as Token;
    const isMember = isSign(tokens[at - 1], '.') || isSign(tokens[at - 1], '?.');
    if (text === 'require' && !isMember) return this.#require(at);
    if (text === 'import' && !isMember) return this.#import(at);
    if (LEADS.test(text)) return this.#give();
    if (/^(?:process|require|module)$/.test(text) && isMember) return this.#give();
    if (text === 'process' && !this.#isImported(at)) {
      const name = tokens[at + 2]?.text ?? '';
      const isKnown = /^\??\.$/.test(tokens[at + 1]?.text ?? '') && PROCESS.has(name);
      return isKnown ? undefined : this.#give();
    }
    if (text === 'module') return isWord(tokens[at + 2], 'exports') ? undefined : this.#give();
    if (text === 'export' && isSign(tokens[at + 1], '*')) return this.#give();
    if (this.#modules.has(text) && !isMember) return this.#member(at);
    const starter = this.#starters.get(text);
    if (starter !== undefined && !isMember) this.#call(starter, at);
  }

  /** `import process from 'process'`. */
  #isImported(at: number): boolean {
    return (
      isWord(this.tokens[at - 1], 'import') ||
      isSign(this.tokens[at + 1], ':') ||
      isWord(this.tokens[at - 1], 'from')
    );
  }

  /** `cp.execSync("ls")`. */
  #member(at: number): undefined {
    const name = this.tokens[at + 2]?.text ?? '';
    if (isSign(this.tokens[at + 1], '.') && STARTS.has(name)) this.#call(name, at + 2);
    else this.#give();
  }

  #call(name: string, at: number): undefined {
    // What follows the plain arguments may be a function that gets the result.
    const args = argumentsAt(this.tokens, at + 1);
    this.#lines.add(args && linesStarted(withoutCallback(args), name));
  }

  /** `require("fs")`, `const { execSync } = require("child_process")`. */
  #require(at: number): undefined {
    const { tokens } = this;
    if (isSign(tokens[at + 1], '.') && isWord(tokens[at + 2], 'resolve')) return;
    if (!isSign(tokens[at + 1], '(')) return this.#give();
    const end = afterBracket(tokens, at + 1);
    const module = moduleIn(tokens.slice(at + 2, end - 1));
    if (module === undefined) return this.#give();
    if (module !== 'child_process') return this.#familiar(module);
    if (isSign(tokens[end], '.')) {
      const name = tokens[end + 1]?.text ?? '';
      return STARTS.has(name) ? this.#call(name, end + 1) : this.#give();
    }
    const isAssigned = isSign(tokens[at - 1], '=');
    const isEnd = /^(?:[;,)]|)$/.test(tokens[end]?.text ?? '') || tokens[end]?.first === true;
    if (!isAssigned || !isEnd) return this.#give();
    this.#bind(at - 2);
  }

  /** The name, or the names in braces, that ends at the position. */
  #bind(last: number): undefined {
    const { tokens } = this;
    if (isWord(tokens[last]) && /^(?:const|let|var)$/.test(tokens[last - 1]?.text ?? '')) {
      this.#modules.add(tokens[last]?.text ?? '');
      this.#isDefined(last);
    } else if (isSign(tokens[last], '}')) {
      let start = last;
      while (start > 0 && !isSign(tokens[start], '{')) start -= 1;
      this.#bindNames(tokens.slice(start + 1, last));
    } else this.#give();
  }

  /** The name may be used before it is bound only where it is defined. */
  #isDefined(at: number): undefined {
    const name = this.tokens[at]?.text;
    const before = this.tokens.slice(0, at).some((token) => isWord(token, name));
    if (before) this.#give();
  }

  /** `execSync as e`, `execSync: e`. */
  #bindNames(names: readonly Token[]): undefined {
    for (let at = 0; at < names.length; at++) {
      const { kind, text } = names[at] as Token;
      if (text === ',') continue;
      if (kind !== 'word' || !STARTS.has(text)) return this.#give();
      const isRenamed = isSign(names[at + 1], ':') || isWord(names[at + 1], 'as');
      this.#starters.set(isRenamed ? (names[at + 2]?.text ?? '') : text, text);
      if (isRenamed) at += 2;
    }
  }

  /** `import x from "fs"`, `import("fs")`, `import.meta.url`. */
  #import(at: number): undefined {
    const { tokens } = this;
    if (isSign(tokens[at + 1], '.')) return;
    if (isSign(tokens[at + 1], '(')) {
      const module = moduleIn(tokens.slice(at + 2, afterBracket(tokens, at + 1) - 1));
      return module === undefined || module === 'child_process' ? this.#give() : this.#familiar(module);
    }
    let from = at;
    while (from < tokens.length && tokens[from]?.kind !== 'text') from += 1;
    const module = moduleIn(tokens.slice(from, from + 1));
    if (module === undefined) return this.#give();
    if (module !== 'child_process') return this.#familiar(module);
    const names = tokens.slice(at + 1, from - 1);
    if (isSign(names[0], '{')) return this.#bindNames(names.slice(1, -1));
    const name = names.at(-1);
    if (
      name?.kind === 'word' &&
      names.every(({ text }) => text === '*' || text === 'as' || text === name.text)
    )
      this.#modules.add(name.text);
    else this.#give();
  }

  #familiar(module: string): undefined {
    if (/^(?:module|vm|worker_threads|cluster|repl|inspector|process)$/.test(module)) this.#give();
    this.#isUnfamiliar ||= !HARMLESS.has(module) && !module.endsWith('.json');
  }

  #text(at: number): undefined {
    const { tokens } = this;
    const { text, opener } = tokens[at] as Token;
    const isModule = isModuleText(tokens, at);
    if (!isModule && NAMED_IN_TEXT.test(text)) this.#give();
    // A tag may run the text.
    const before = tokens[at - 1];
    if (
      opener === '`' &&
      before !== undefined &&
      (isWord(before) ? !BEFORE_PATTERN.has(before.text) : /^[)\]]$/.test(before.text))
    )
      this.#give();
  }

  /** `x[i]`, `{ [name]: y }`: the name of a member that is put together may be any. */
  #computed(at: number): undefined {
    const { tokens } = this;
    const before = tokens[at - 1];
    const end = afterBracket(tokens, at);
    const isMember =
      before !== undefined &&
      (before.kind === 'text' ||
        before.kind === 'pattern' ||
        isWord(before) ||
        /^(?:[)\]]|\?\.)$/.test(before.text) ||
        (isSign(before, '}') && !(tokens[at] as Token).first)) &&
      !(isWord(before) && (BEFORE_PATTERN.has(before.text) || /^(?:const|let|var)$/.test(before.text)));
    const isKey = /^[:(]$/.test(tokens[end]?.text ?? '') && /^[{,]$/.test(before?.text ?? '');
    if (!isMember && !isKey) return;
    const index = tokens.slice(at + 1, end - 1);
    if (index.length === 1 && index[0]?.kind === 'number') return;
    if (index.length === 1 && index[0]?.kind === 'text') {
      if (!index[0].plain || index[0].text.includes('\\') || LEADS.test(index[0].text)) this.#give();
      else if (STARTS.has(index[0].text) && this.#modules.size > 0) this.#give();
      return;
    }
    // `x["a" + "b"]`, `x[("con", "cat")]`.
    if (index.some(({ kind }) => kind === 'text')) return this.#give();
    const isSimple =
      index.length < MAX_INDEX &&
      index.every(
        ({ kind, text }) =>
          kind === 'number' ||
          (kind === 'word' && !HIDES_NAME.test(text)) ||
          /^(?:[-+*%.]|\?\.|\+\+|--)$/.test(text),
      );
    if (!isSimple || !this.#isIndexKnown()) this.#give();
  }

  /** Whether no text in the code could become the name of a member that leads further. */
  #isIndexKnown(): boolean {
    this.#indexKnown ??= !mayGiveName(this.tokens);
    return this.#indexKnown;
  }
}

function mayGiveName(tokens: readonly Token[]): boolean {
  const joins = tokens.some(({ kind, text }) => kind === 'word' && JOINS.test(text));
  return tokens.some((token, at) =>
    token.kind === 'word'
      ? HIDES_NAME.test(token.text)
      : token.kind === 'text' && isPieceOfName(token) && (joins || assembles(tokens, at, OPERATORS)),
  );
}

/** `constr`, `uctor`. */
function isPieceOfName({ text, plain }: Token): boolean {
  const pieces = text.split(/\$\{|\W+/).filter((piece) => piece !== '');
  return (
    (!plain && text.includes('\\')) || pieces.some((piece) => NAMES.some((name) => name.includes(piece)))
  );
}

/** The name of a module that is a plain text, or a file whose folder is put together. */
function moduleIn(args: readonly Token[]): string | undefined {
  const [only] = args;
  if (args.length === 1 && only?.kind === 'text')
    return only.plain && !only.text.includes('\\') ? only.text.replace(/^node:/, '') : undefined;
  const last = args.at(-1);
  const isFile = last?.kind === 'text' && last.plain && /^\.{0,2}\/.*\.\w+$/.test(last.text);
  return isFile ? last.text : undefined;
}

function isModuleText(tokens: readonly Token[], at: number): boolean {
  const [first, second] = [tokens[at - 1], tokens[at - 2]];
  return (
    isWord(first, 'from') ||
    isWord(first, 'import') ||
    (isSign(first, '(') && (isWord(second, 'require') || isWord(second, 'import')))
  );
}

/** `exec("ls", (error, out) => …)`. */
function withoutCallback(args: readonly Token[]): readonly Token[] {
  const arrow = args.findIndex((token) => isSign(token, '=>'));
  if (arrow < 0) return args;
  let start = arrow - 1;
  if (isSign(args[start], ')')) while (start > 0 && !isSign(args[start], '(')) start -= 1;
  return isSign(args[start - 1], ',') ? args.slice(0, start - 1) : args;
}

function isPrint(tokens: readonly Token[], at: number): boolean {
  return (
    /^(?:log|error|warn|info|table|dir)$/.test(tokens[at]?.text ?? '') && isWord(tokens[at - 2], 'console')
  );
}
