/** Which shell lines Python code starts, if it is understood. */

import { type Language, type Reader, type Token, tokenize } from './tokens.js';
import { handsOverTexts, isSign, isWord, Lines, type Started, startedByCall, words } from './understood.js';

const PREFIX = /([rbuftRBUFT]{0,3})("""|'''|"|')/y;
const COMMENT = /#[^\n]*|\\\n/y;

export const PYTHON: Language = {
  tokens:
    /(?<gap>[ \t\n]+)|(?<word>[A-Za-z_]\w*)|(?<number>\d[\w.]*|\.\d\w*)|(?<sign>\.\.\.|[-+*/%@&|^<>=!:]=|->|\*\*|\/\/|[-+*/%@&|^~<>=!:;,.()[\]{}])/y,
  special(reader) {
    const [gap] = reader.match(COMMENT) ?? [];
    if (gap !== undefined) reader.skip(gap.length);
    const [start, prefix = '', quote = ''] = reader.match(PREFIX) ?? [];
    if (start !== undefined) {
      reader.at += start.length;
      if (/[ft]/i.test(prefix)) readFormatted(reader, quote);
      else reader.readText(prefix, quote);
    }
    return gap !== undefined || start !== undefined;
  },
};

/** `f"{x:>4}"` */
function readFormatted(reader: Reader, quote: string): undefined {
  const [start, at] = [reader.at, reader.tokens.length];
  reader.add('text', '', false, 'f');
  while (!reader.code.startsWith(quote, reader.at)) {
    const two = reader.code.slice(reader.at, reader.at + 2);
    if (two === '' || two === '\\N') return reader.unclear();
    if (two === '{{' || two === '}}' || (two[0] === '\\' && two !== '\\{')) reader.at += 2;
    else if (two[0] !== '{') reader.at += 1;
    else {
      reader.at += 1;
      reader.readNested('}:');
      if (reader.code[reader.at - 1] === ':') {
        const [format] = reader.match(/[^{}'"\n]*\}/y) ?? [];
        if (format === undefined) return reader.unclear();
        reader.at += format.length;
      }
    }
  }
  reader.tokens[at] = { ...(reader.tokens[at] as Token), text: reader.code.slice(start, reader.at) };
  reader.at += quote.length;
}

/** Modules of which no function starts a program or runs a text, and that lead to others only by the words in `LEADS`. */
const HARMLESS = words(
  'argparse array ast base64 binascii bisect bz2 calendar cmath collections colorsys concurrent configparser contextlib copy csv dataclasses datetime decimal difflib email enum errno fileinput fnmatch fractions functools gettext glob gzip hashlib heapq hmac html http io ipaddress itertools json keyword linecache locale logging lzma math mimetypes numbers pathlib platform pprint queue random re requests secrets select shlex shutil signal socket sqlite3 ssl stat statistics string stringprep struct tarfile tempfile textwrap threading time token tokenize tomllib traceback typing unicodedata urllib uuid warnings weakref xml zipfile zlib zoneinfo __future__ asyncio',
);
/** Of these modules every name is a program: `sh.rm("x")`. */
const PROGRAMS_BY_NAME = words('sh plumbum pbs');
/** They run a file or a text that they are given. */
const RUNNERS = words('runpy code codeop bdb pdb trace cProfile profile imp zipimport');
/** Parts of them that run what they are given. */
const NOT_HARMLESS = words('logging.config http.server concurrent.futures.process');
/** Modules of which only some names are harmless. */
const PARTLY: Readonly<Record<string, ReadonlySet<string>>> = {
  os: words(
    'path getcwd listdir scandir walk environ getenv sep linesep pathsep curdir pardir extsep name devnull stat lstat makedirs mkdir remove unlink rmdir removedirs rename replace getpid getppid cpu_count get_terminal_size access R_OK W_OK X_OK F_OK chmod utime urandom fspath fsencode fsdecode DirEntry PathLike readlink symlink link chdir umask getuid getgid getlogin uname times isatty truncate putenv kill error',
  ),
  sys: words(
    'path argv stdin stdout stderr exit version version_info executable platform maxsize getsizeof getrecursionlimit setrecursionlimit byteorder flags implementation prefix base_prefix exec_prefix getdefaultencoding getfilesystemencoding intern float_info int_info hexversion exc_info maxunicode api_version builtin_module_names stdlib_module_names orig_argv set_int_max_str_digits getrefcount',
  ),
  yaml: words('safe_load safe_load_all safe_dump safe_dump_all dump SafeLoader CSafeLoader YAMLError'),
  subprocess: words('PIPE DEVNULL STDOUT CalledProcessError TimeoutExpired CompletedProcess list2cmdline'),
};
const STARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  os: words(
    'system popen execl execle execlp execlpe execv execve execvp execvpe spawnl spawnle spawnlp spawnv spawnve spawnvp startfile',
  ),
  subprocess: words('run call check_call check_output Popen getoutput getstatusoutput'),
};
/** They run a text, or find something by a name that may be put together. */
const BARE =
  /^(?:exec|eval|compile|getattr|globals|locals|vars|breakpoint|attrgetter|methodcaller|import_module|copyright|credits|license)$/;
/** Attributes that lead from something harmless to everything else. */
const LEADS = words(
  'os sys posix nt subprocess builtins importlib ctypes modules meta_path path_hooks settrace setprofile f_globals f_builtins f_locals f_back f_code tb_frame gi_frame gi_code cr_frame ag_frame func_globals attrgetter methodcaller create_subprocess_shell create_subprocess_exec subprocess_shell subprocess_exec get_event_loop_policy import_module exec_module load_module find_spec exec_prefix_module',
);
const STARTS_ANYWHERE = /^(?:system|popen|Popen|exec[lv]\w*|p?spawn\w*|posix_spawnp?|fork|forkpty)$/;
const OWN_NAMES = words(
  '__name__ __file__ __doc__ __version__ __init__ __len__ __repr__ __str__ __eq__ __hash__ __all__ __iter__ __next__ __enter__ __exit__ __call__ __post_init__ __class__ __getitem__ __setitem__ __contains__ __lt__ __add__ __slots__ __future__ __main__',
);
/** They may change what a program is that is started, or its input. */
const CHANGES =
  /^(?:write\w*|writelines|chmod|rename|replace|symlink|link|copy\w*|move|environ|putenv|communicate|input|dump|extract\w*|chdir|urlretrieve|touch)$/;
/** They make a text of others. */
const MAKES_TEXT =
  /^(?:chr|bytes|bytearray|fromhex|\w+decode|unhexlify|decompress|decode|maketrans|translate|join|replace|reversed|reverse|format|sub|strip|lstrip|rstrip|removeprefix|removesuffix|split|rsplit|partition|swapcase|input|environ|getenv|argv|stdin|format_map|substitute|pop)$/;
const OPERATORS = /^(?:\+|%|\*|\+=)$/;
const OTHER_ENCODING = /^(?:[^\n]*\n)?[ \t]*#[^\n]*coding[:=][ \t]*(?!utf-?8\b)/i;

/** Contract: pure. */
export function startedByPython(code: string): Started {
  const tokens = OTHER_ENCODING.test(code) ? undefined : tokenize(code, PYTHON);
  return tokens && new PythonCode(tokens).read();
}

class PythonCode {
  readonly #lines = new Lines();
  /** Names in the code of modules that are harmless only in part. */
  readonly #modules = new Map(Object.keys(PARTLY).map((name) => [name, name]));
  /** Names in the code of functions that start a program. */
  readonly #starters = new Map<string, string>();
  #isUnfamiliar = false;
  /** Names with an underscore that the code gives to its own objects. */
  readonly #own: ReadonlySet<string>;

  constructor(readonly tokens: readonly Token[]) {
    this.#own = ownNames(tokens);
  }

  read(): Started {
    for (let at = 0; at < this.tokens.length && this.#lines.isUnderstood; at++) {
      if (!isWord(this.tokens[at])) continue;
      const end = this.#import(at);
      if (end === undefined) this.#word(at);
      else at = end - 1;
    }
    if (this.#isUnfamiliar && handsOverTexts(this.tokens, isPrint, MAKES_TEXT, OPERATORS)) return undefined;
    const isStarting = this.#lines.found.length > 0;
    const changes = isStarting && this.tokens.some(({ kind, text }) => kind === 'word' && CHANGES.test(text));
    return changes ? undefined : this.#lines.result;
  }

  /** The position after an import, undefined if there is none. */
  #import(at: number): number | undefined {
    const { tokens } = this;
    if (isWord(tokens[at], 'from')) {
      const { name, end } = dotted(tokens, at + 1);
      return isWord(tokens[end], 'import') ? this.#names(name, end + 1) : undefined;
    }
    if (!isWord(tokens[at], 'import')) return undefined;
    let next = at;
    do {
      const { name, end } = dotted(tokens, next + 1);
      const alias = isWord(tokens[end], 'as') ? tokens[end + 1]?.text : undefined;
      next = alias === undefined ? end : end + 2;
      this.#bind(name, alias);
    } while (isSign(tokens[next], ','));
    return next;
  }

  #bind(module: string, alias: string | undefined): undefined {
    const [root = ''] = module.split('.');
    if (Object.hasOwn(PARTLY, root)) {
      if (alias === undefined || module === root) this.#modules.set(alias ?? root, root);
      else if (module !== 'os.path') this.#lines.add(undefined);
    } else this.#familiar(module);
  }

  #familiar(module: string): undefined {
    const [root = ''] = module.split('.');
    if (PROGRAMS_BY_NAME.has(root) || RUNNERS.has(root)) this.#lines.add(undefined);
    this.#isUnfamiliar ||= !HARMLESS.has(root) || NOT_HARMLESS.has(module);
  }

  /** `from module import a as b, c`. */
  #names(module: string, from: number): number {
    const { tokens } = this;
    const isGrouped = isSign(tokens[from], '(');
    const isPartly = Object.hasOwn(PARTLY, module);
    if (!isPartly && module !== 'os.path') this.#familiar(module);
    let at = isGrouped ? from + 1 : from;
    for (; at < tokens.length; at++) {
      const { text, first } = tokens[at] as Token;
      if (isSign(tokens[at], ',')) continue;
      if (isSign(tokens[at], ')') || (!isGrouped && first) || isSign(tokens[at], ';')) break;
      const isRenamed = isWord(tokens[at + 1], 'as');
      const alias = isRenamed ? (tokens[at + 2]?.text ?? '') : text;
      if (isPartly && STARTS[module]?.has(text)) this.#starters.set(alias, text);
      else if (isPartly ? !PARTLY[module]?.has(text) : isLeading(text) || STARTS_ANYWHERE.test(text))
        this.#lines.add(undefined);
      if (isRenamed) at += 2;
    }
    return at;
  }

  #word(at: number): undefined {
    const { tokens } = this;
    const { text } = tokens[at] as Token;
    if (isSign(tokens[at - 1], '.')) return this.#attribute(at);
    const module = this.#modules.get(text);
    const starter = this.#starters.get(text);
    if (module !== undefined) this.#partly(module, at);
    else if (starter !== undefined) this.#call(starter, at);
    else if (/^(?:eval|exec)$/.test(text)) this.#evaluated(at);
    else if (BARE.test(text) || (text.startsWith('__') && !OWN_NAMES.has(text))) this.#lines.add(undefined);
  }

  /** `os.getcwd`, `os.system("ls")`. */
  #partly(module: string, at: number): undefined {
    const name = this.tokens[at + 2]?.text ?? '';
    const isMember = isSign(this.tokens[at + 1], '.');
    if (isMember && PARTLY[module]?.has(name)) return;
    if (isMember && STARTS[module]?.has(name)) this.#call(name, at + 2);
    else this.#lines.add(undefined);
  }

  #attribute(at: number): undefined {
    const { tokens } = this;
    const { text } = tokens[at] as Token;
    const owner = tokens[at - 2];
    const module = isSign(tokens[at - 3], '.') ? undefined : this.#modules.get(owner?.text ?? '');
    if (module !== undefined) return;
    const isEmpty = isSign(tokens[at + 1], '(') && isSign(tokens[at + 2], ')');
    if (isLeading(text) && !this.#own.has(text)) this.#lines.add(undefined);
    else if (STARTS_ANYWHERE.test(text) && !isEmpty) this.#lines.add(undefined);
  }

  #call(name: string, at: number): undefined {
    this.#lines.add(startedByCall(this.tokens, at + 1, name));
  }

  /** `eval("1 + 1")`. */
  #evaluated(at: number): undefined {
    const [open, text, close] = this.tokens.slice(at + 1, at + 4);
    const isPlain = isSign(open, '(') && text?.kind === 'text' && text.plain && isSign(close, ')');
    this.#lines.add(isPlain && !text.text.includes('\\') ? startedByPython(text.text) : undefined);
  }
}

function dotted(tokens: readonly Token[], from: number): { readonly name: string; readonly end: number } {
  let end = from;
  while (
    /^(?:\.|\.\.\.)$/.test(tokens[end]?.text ?? '') ||
    (tokens[end]?.kind === 'word' &&
      tokens[end]?.text !== 'import' &&
      (end === from || isSign(tokens[end - 1], '.') || isSign(tokens[end - 1], '...')))
  )
    end += 1;
  return {
    name: tokens
      .slice(from, end)
      .map(({ text }) => text)
      .join(''),
    end,
  };
}

function isLeading(name: string): boolean {
  return LEADS.has(name) || (name.startsWith('_') && !OWN_NAMES.has(name));
}

/** `self._n`, `def _load`. */
function ownNames(tokens: readonly Token[]): ReadonlySet<string> {
  const names = tokens.flatMap((token, at) => {
    const isMember = isSign(tokens[at - 1], '.') && /^(?:self|cls)$/.test(tokens[at - 2]?.text ?? '');
    return isMember || isWord(tokens[at - 1], 'def') ? [token.text] : [];
  });
  return new Set(names.filter((name) => /^_[^_]/.test(name) && !LEADS.has(name.slice(1))));
}

function isPrint(tokens: readonly Token[], at: number): boolean {
  return /^(?:print|pprint)$/.test(tokens[at]?.text ?? '') && !isSign(tokens[at - 1], '.');
}
