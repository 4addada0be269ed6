/** Code that a line writes to a file and then gives to a program: as its script, in an option, by a module's name. */
import { basename } from 'node:path/posix';
import { isCarrier } from '../shell/carriers.js';
import { checksFiles } from '../shell/checking-programs.js';
import { languageOf, languageOfFile } from '../shell/code/started-lines.js';
import { isTextFile } from '../shell/data-files.js';
import { interpreterOf, isShell } from '../shell/interpreters.js';
import type { ShellCommand, ShellWord } from '../shell/read-line.js';
import { runsNothing } from '../shell/runs-nothing.js';
import type { Code } from './rule-code.js';

/** A file that the line writes: its names, and its content if that appears literally in the line. */
export interface WrittenFile {
  readonly writer: ShellCommand;
  /** Undefined means any. */
  readonly names: ReadonlySet<string> | undefined;
  readonly text: string | undefined;
}

/**
 * More that is read as data, or as settings that no program runs. The line chooses these names, so only those count as
 * data that people write every day: not `.tmp`, `.bin` or none.
 */
const SETTINGS =
  /\.(?:json\w+|ya?ml|toml|ini|env(?:\.\w+)?|properties|tex|bib)$|^(?:\.\w*ignore|\.env.*|\.editorconfig|dockerfile|readme|license|changelog|notice|version)$/i;
/** What in a text of an unread language makes it code that may put a name together. */
const DOUBTFUL = /[("'`$\\|+{[]/;
/** Only some lines of these start something. */
const STARTS_IN: readonly (readonly [RegExp, RegExp])[] = [
  [/\.sql$/i, /^\s*[.\\]\w|load_extension|edit\s*\(|writefile|readfile|pg_read|\bcopy\b/im],
  [
    /\.(?:go|rs|java|kt|kts|swift|cs|scala|dart|zig|h|cc|cpp|cxx|hpp|hs|ml|nim|cr|d)$/i,
    /\b(?:Command|Process\w*|exec\w*|spawn\w*|system|popen|fork|syscall|asm|dlopen|dlsym|Runtime|invoke|getMethod|forName|eval|reflect|FFI|extern)\b/,
  ],
];
const COMPILED = /\.(?:c|cc|cpp|cxx|s|S)$/i;
const COMPILES = /^(?:rustc|javac|kotlinc|ghc|ocamlc|ocamlopt)$/;
/** A file of such a name is loaded in the place of a module that Python brings with it. */
const SHADOWS =
  /^(?:abc|argparse|ast|asyncio|base64|bisect|code|codecs|collections|configparser|contextlib|copy|csv|ctypes|datetime|decimal|difflib|dis|doctest|email|encodings|enum|fnmatch|functools|gettext|glob|hashlib|heapq|html|http|importlib|inspect|io|json|keyword|linecache|locale|logging|math|multiprocessing|numbers|opcode|operator|os|pathlib|pickle|pkgutil|platform|pprint|queue|random|re|reprlib|runpy|sched|secrets|select|shlex|shutil|signal|site|socket|sqlite3|sre_\w+|ssl|stat|statistics|string|struct|subprocess|tempfile|textwrap|threading|time|token|tokenize|traceback|types|typing|unittest|urllib|uuid|warnings|weakref|xml|zipfile|zipimport)$/;

/** All code of this kind in the line. Contract: pure. */
export function writtenCode(
  commands: readonly ShellCommand[],
  written: readonly WrittenFile[],
): readonly Code[] {
  const texts = written.flatMap(({ writer, names, text }) =>
    names === undefined || text === undefined ? [] : [...names].map((name) => ({ writer, name, text })),
  );
  if (texts.length === 0) return [];
  const runsOwn = commands.some(({ words: [name] }) => /^\.{0,2}\/(?!usr\/|bin\/)/.test(name?.value ?? ''));
  return commands.flatMap((command, at) =>
    texts.flatMap(({ writer, name, text }) => {
      if (commands.indexOf(writer) >= at || writer === command.carrier) return [];
      const isRun = runsOwn && COMPILED.test(name) && takes(command, name);
      return isRun || isGiven(command, name, text) ? [{ language: languageFor(command, name), text }] : [];
    }),
  );
}

/** A text that a program gets as a file which the line writes. */
export interface GivenText {
  /** Undefined if it is only known when it is written. */
  readonly text: string | undefined;
  /** A shell runs it. */
  readonly isLine: boolean;
}

/**
 * Texts that the line writes to files which its programs then run, load or obey: scripts for a shell, files with a name
 * that programs look for (`isLoaded`), and what they are given. Contract: pure.
 */
export function writtenTexts(
  commands: readonly ShellCommand[],
  written: readonly WrittenFile[],
  isLoaded: (name: string) => boolean,
): readonly GivenText[] {
  return commands.flatMap((command, at) =>
    written.flatMap(({ writer, names: files, text }) => {
      const isPrinted = text !== undefined || /^(?:echo|printf|cat|tee)$/.test(programOf(writer));
      if (!isPrinted || files === undefined || commands.indexOf(writer) >= at) return [];
      const obeying = [...files].filter((name) => obeys(command, name, isLoaded));
      return obeying.length === 0 ? [] : [{ text, isLine: runsLines(command) }];
    }),
  );
}

function runsLines(command: ShellCommand): boolean {
  const program = programOf(command);
  return (
    isShell(program) || program === '.' || program === 'source' || /\//.test(command.words[0]?.value ?? '')
  );
}

function obeys(command: ShellCommand, name: string, isLoaded: (name: string) => boolean): boolean {
  const program = programOf(command);
  const values = command.words.slice(1).map(({ value = '' }) => value);
  const isTaken =
    takes(command, name) ||
    basename(command.words[0]?.value ?? '') === name ||
    command.assignments.some(({ value }) => names(value).includes(name));
  if (program === 'curl') return isTaken && values.some((value) => /^(?:-[a-zA-Z]*K|--config)/.test(value));
  if (runsNothing(command) && !/^(?:\.|source)$/.test(program)) return false;
  if (COMPILED.test(name) && isTaken) return true;
  if (isLoaded(name)) return !isCarrier(program) || isShell(program);
  return isTaken && !isData(name) && !checksFiles(program, values);
}

function isData(name: string): boolean {
  return isTextFile(name) || SETTINGS.test(name);
}

function languageFor(command: ShellCommand, name: string): Code['language'] {
  return languageOfFile(name) ?? languageOf(programOf(command));
}

function isGiven(command: ShellCommand, name: string, text: string): boolean {
  const program = programOf(command);
  const values = command.words.slice(1).map(({ value = '' }) => value);
  if (runsNothing(command) || isCarrier(program) || isShell(program)) return false;
  if (isImported(command, name)) return true;
  const isVariable = command.assignments.some(({ value }) => names(value).includes(name));
  if (isData(name) || (checksFiles(program, values) && !COMPILES.test(program))) return false;
  if (!isVariable && !takes(command, name)) return false;
  // A script of an interpreter is judged as one; so are languages that are read.
  if (languageFor(command, name) !== undefined) return true;
  const [, doubt] = STARTS_IN.find(([pattern]) => pattern.test(name)) ?? [undefined, DOUBTFUL];
  return doubt.test(text);
}

/** `python3 -m x`, `python3 folder`, `python3 -c 'import x'`, `perl -MX`. */
function isImported(command: ShellCommand, name: string): boolean {
  const [, module = '', ending = ''] = /^(\w+)\.(py|pm|rb|lua|[cm]?js)$/.exec(name) ?? [];
  if (ending === '' || languageOf(programOf(command)) !== languageOfFile(name)) return false;
  const texts = command.words.slice(1).map(({ value, raw }) => value ?? raw);
  const input = command.redirects.flatMap(({ operator, target }) =>
    operator.startsWith('<<') ? [target.value ?? target.raw] : [],
  );
  const isNamed = new RegExp(`(?:^|[^\\w.])${module}(?!\\w)`);
  if (/^__(?:main|init)__$|^(?:site|user)customize$/.test(module)) return true;
  if (ending === 'py' && SHADOWS.test(module)) return true;
  if (module === 'index') return texts.some((text) => /^\.{0,2}\/?$|\/$/.test(text));
  return [...texts, ...input].some((text) => {
    const isModule =
      text.split('.').includes(module) ||
      /^-[a-zA-Z]*[mMr]/.test(text) ||
      /\b(?:import|use|require|from)\b/.test(text);
    return isModule && isNamed.test(text.replace(/^-[a-zA-Z]*[mMr]/, '').replaceAll('.', ' '));
  });
}

/** Among its words, or as its input. */
function takes({ words, redirects }: ShellCommand, name: string): boolean {
  const inputs = redirects.flatMap(({ operator, target }) => (operator === '<' ? [target] : []));
  return [...words.slice(1), ...inputs].some((word) => names(word).includes(name));
}

/** The last parts of what may be paths in a word. */
function names(word: ShellWord | undefined): readonly string[] {
  const text = word?.value ?? word?.raw ?? '';
  return [text, ...text.split(/[\s=:,@|!'"]+/), /^-\w(.+)$/.exec(text)?.[1] ?? ''].map((part) =>
    basename(part),
  );
}

function programOf({ words: [name] }: ShellCommand): string {
  return basename(name?.value ?? '');
}

/** Whether a program runs its input even where it has code: `python3 -i -c 1`. */
export function isInteractive({ words: [name, ...args], assignments }: ShellCommand): boolean {
  const interpreter = interpreterOf(name?.value ?? '');
  if (languageOf(basename(name?.value ?? '')) !== 'python' || interpreter === undefined) return false;
  return (
    assignments.some((each) => each.name === 'PYTHONINSPECT') ||
    args.some(({ value = '' }) => /^-[bBdEIOqsSuv]*i/.test(value))
  );
}
