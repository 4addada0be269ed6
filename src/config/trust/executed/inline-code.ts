/**
 * Files that code in a line names: in Python, Ruby or any other language, as an argument, as input, as the value of a
 * variable. A name counts if a file of ours has it, as it is written or as the language completes it, unless the code
 * certainly does no more than read that file.
 */
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { type CodeLanguage, languageOf, startedLines } from '../../../shell/code/started-lines.js';
import type { ExecutedFiles, Setting } from './executed-files.js';
import { isData, isLibrary } from './kinds-of-files.js';
import { isExecutable, isFile, kindOf, matchesOf, namesIn, pathFrom } from './places.js';

const LOADS_FILE = [
  /\b(?:require|import)\s*\(\s*(['"`])(\.{0,2}\/[^'"`$]+)\1/g,
  /\b(?:from|import)\s+(['"])(\.{0,2}\/[^'"]+)\1/g,
  /\b(?:exec|run_path)\s*\(\s*(?:compile\s*\(\s*)?(?:open\s*\(\s*)?(['"])([^'"]+)\1/g,
];
const LOADS_PACKAGE = /\b(?:require\s*\(|import\s*\(|from|import)\s*(['"`])([^'"`$./][^'"`$]*)\1/g;

/** Code that contains one of these may run a file it names, however it builds the name. */
const RUNS_OTHERS =
  /\b(?:eval|exec\w*|spawn\w*|fork|system|popen|subprocess|child_process|Function|vm|runpy|load|do|qx|source|luafile|py3?file|rubyfile|IO\.popen|Open3)\b|\brequire\s*\((?!\s*(['"`])[^'"`]*\1\s*\))|\brequire\s+['"]|%run\b|`/;
/** Words of code that runs a text, or something that it finds by a name: a file of any kind may be what it runs. */
const EVALUATES =
  /(?<![.\w]|\bdef |\bfunction )(?:exec|compile|execfile|eval|source|include|include_once|require_once|assert)\b(?!\s*[:{])|\bdo\s*[('"$]|\b(?:eval\w*|Function|vm|_compile|runInThisContext|runInNewContext|runctx|runpy|pdb\.run|(?:instance|class|module)_(?:eval|exec)|loadstring|loadfile|dofile|load_source|pickle|marshal|Marshal|unserialize|shelve|dill|CDLL|dlopen|fiddle|Fiddle|zipimport\w*|fileConfig|load_extension|EVALFILE|sys\.source)\b|(?<!(?:json|yaml|toml|tomllib|np|JSON|YAML)\.)\bload\b/;
/** Calls that load objects or code from data, or a module whose name is put together. */
const LOADS_DATA =
  /\b(?:unsafe_load\w*|full_load\w*|(?:Unsafe|Full)?Loader\s*=|allow_pickle|read_pickle|joblib|torch\.load|addsitedir|testfile|spec_from_file_location|SourceFileLoader|exec_module|interact|Interactive\w+|webbrowser\.get|FileSystemLoader)\b|\byaml\.Loader\b|\b(?:require|import)\s*\(\s*(?:[\w$]|(['"`])[^'"`]*\1\s*\+|`[^`]*\$\{)/;
/** Code that goes through a folder: any of its files may be what it runs. */
const LISTS = /\b(?:iterdir|listdir|scandir|readdir\w*|r?glob|walk|children|entries|each_child|opendir)\b/;
/** A call that starts a program which is no plain text. */
const STARTS_UNKNOWN =
  /(?:\bos\.|\bsubprocess\.|\bcp\.|\bchild_process['"]\)\.|(?<![.\w]))(?:system|popen|Popen|exec\w*|spawn\w*|run|call|check_call|check_output|getoutput|passthru|shell_exec|proc_open)\s*\(\s*\[?\s*(?:(?!['"`[\])])|[rb]?(['"])[^'"]*\1\s*[+%]|f['"])/;
/** Words that load something by its name, without an ending. */
const LOADS =
  /\b(?:require\w*|import\w*|__import__|load\w*|include\w*|autoload|use|using|run_module|find_spec|spec_from_file_location|Worker|fork|register|createRequire|dofile|source|lib|Code\.\w+|sys\.path|unittest)\b/;
/** What stands in front of a name that is loaded. */
const LOADED_BY =
  /(?<!\b(?:json|yaml|toml|tomllib|np|JSON|YAML|Psych)\.)\b(?:require\w*|import\w*|load\w*|include\w*|autoload|use|from|source|fork|Worker)\b[^'"`\n;]{0,12}$|\bdo\s*\(?\s*$/;
/** What stands in front of a name whose file is only read, written or tested. */
const READ_BY =
  /\b(?:open|fopen|[rw]?open_?text|readFile(?:Sync)?|readTextFile(?:Sync)?|(?:append|write|copy|open|exists|stat|lstat|access|watch|unlink|rm|create\w+|readdir|mkdir)\w*(?:Sync|Stream)?|file_(?:get|put)_contents|file_exists|is_file|is_dir|filemtime|filesize|(?:File|IO|FileTest)\.\w+|(?:path|os|pathlib|shutil|fs|fsp|promises|Deno|Bun)\.\w+|(?:JSON|YAML|Psych|json|yaml|toml|tomllib)\.\w+|Path|read_text|io\.(?:open|lines)|-[edfrsxzM])\s*\(?\s*(?:new\s+\w+\s*\(\s*)?[rbuf]{0,2}$/;
export const CODE =
  /\.(?:[cm]?[jt]s|sh|bash|zsh|fish|ksh|py|rb|pl|pm|php|lua|ps1|tcl|vim|el|gdb|awk|sed|jl|R)$/;
const PATH = /[\w.@%+~/-]*[\w/-][\w.@%+~/-]*/g;
/** Each kind of quote by itself, so that an apostrophe in a comment hides nothing. */
const TEXTS = [
  /"((?:[^"\\\n]|\\.){1,200})"/g,
  /'((?:[^'\\\n]|\\.){1,200})'/g,
  /`((?:[^`\\\n]|\\.){1,200})`/g,
];
const NAMED_WORDS = /\b(?:use|no|require|import|from|using|load|source|include|so|do)\s+([A-Za-z_][\w:.]*)/g;

/** What each language adds to a name. */
const COMPLETES: Partial<Record<CodeLanguage, readonly string[]>> = {
  python: ['.py', '/__init__.py', '/__main__.py'],
  javascript: [...'.js .cjs .mjs .ts .mts .cts .tsx .jsx .node .json'.split(' '), '/index.js', '/index.ts'],
  ruby: ['.rb', '.so'],
  perl: ['.pm', '.pl'],
  php: ['.php', '.inc'],
  lua: ['.lua', '/init.lua', '.so'],
  awk: ['.awk', '.so'],
};
const COMPLETES_OTHERS =
  '.jl .R .r .tcl .exs .ex .groovy .rakumod .scm .rkt .lisp .clj .el .vim .ps1 .psm1 .m .erl .beam'.split(
    ' ',
  );
const MAX_NAMES = 400;
const MAX_FOLDERS = 12;

/** As written, relative to the folder where the code runs. */
export function filesInCode(code: string): readonly string[] {
  return LOADS_FILE.flatMap((pattern) => [...code.matchAll(pattern)].map(([, , path = '']) => path));
}

export function packagesInCode(code: string): readonly string[] {
  return [...code.matchAll(LOADS_PACKAGE)].map(([, , name = '']) => name);
}

/** Where code runs, and what runs it. */
export interface CodeRun {
  readonly program: string;
  readonly folders: readonly string[] | undefined;
  readonly setting: Setting;
}

/** Contract: adds only files that exist and are ours. */
export function addCode(code: string, run: CodeRun, executed: ExecutedFiles): void {
  const language = languageOf(run.program);
  const evaluates = EVALUATES.test(code) || LOADS_DATA.test(code);
  const started = evaluates ? undefined : startedLines(language, code);
  for (const line of started ?? [])
    executed.guess((trial) => trial.readLine(line, { ...run.setting, depth: run.setting.depth + 1 }));
  const names = namesInCode(code);
  if (names.length > MAX_NAMES) {
    executed.exceed(`Code in the line has more than ${MAX_NAMES} texts that may be names of files`);
    return;
  }
  const places = foldersNamed(names, run.folders ?? [], executed);
  const runsAny = started === undefined && (evaluates || STARTS_UNKNOWN.test(code));
  const runsOthers = runsAny || (started === undefined && (RUNS_OTHERS.test(code) || !language));
  const loads = LOADS.test(code) || runsOthers;
  const endings = language === undefined ? COMPLETES_OTHERS : (COMPLETES[language] ?? []);
  for (const name of names) {
    const uses = usesOf(name, code);
    const isLoaded = uses.some(([before]) => LOADED_BY.test(before));
    const isRead = !runsOthers && uses.every(([before]) => READ_BY.test(before));
    const counts = (path: string): boolean => {
      if (isLibrary(path)) return true;
      if (isLoaded) return !path.endsWith('.json') || runsAny;
      if (started !== undefined || isRead) return false;
      return runsAny || !isData(path) || (runsOthers && isExecutable(path));
    };
    for (const path of placesOf(name, places, executed, counts)) addFile(path, executed);
    if (loads && (isLoaded || started === undefined))
      for (const each of completed(name, language, endings))
        for (const path of placesOf(each, places, executed, isCode)) addFile(path, executed);
  }
  // `Dir["d/*.rb"].each { |f| load f }`
  if (runsAny)
    for (const place of places.slice(run.folders?.length ?? 0))
      for (const file of namesIn(place))
        if (isCode(file) || (evaluates && LISTS.test(code))) addFile(join(place, file), executed);
}

function addFile(path: string, executed: ExecutedFiles): void {
  if (isFile(path)) executed.add(path, { needed: false, program: isExecutable(path) });
}

function isCode(path: string): boolean {
  return !isData(path);
}

/** The plain texts of the code, what looks like a path in it, and the names behind words that load something. */
function namesInCode(code: string): readonly string[] {
  const texts = TEXTS.flatMap((pattern) => [...code.matchAll(pattern)].map(([, text = '']) => text));
  const paths = [...code.matchAll(PATH)].map(([path]) => path).filter((path) => /[./]/.test(path));
  const words = [...code.matchAll(NAMED_WORDS)].map(([, word = '']) => word);
  // `"#{x}/g.rb"`, `__DIR__ . "/g.php"`: what stands in front is often the current folder.
  const behind = [...texts, ...paths].flatMap((name) => {
    const inner = /^(?:[^/]*[$}#)]|\.{0,2}|\w+|)\/+(.+)$/s.exec(name)?.[1];
    return inner === undefined ? [] : [inner];
  });
  const all = [...texts, ...paths, ...words, ...behind].map((name) => name.replace(/^file:\/\/|\|$/g, ''));
  return [...new Set(all)].filter((name) => name !== '');
}

/** What stands in front of each place where the name is. */
function usesOf(name: string, code: string): readonly (readonly [before: string])[] {
  const uses: (readonly [string])[] = [];
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + name.length))
    uses.push([code.slice(Math.max(0, at - 60), at).replace(/['"`]$/, '')]);
  return uses;
}

/** The folders that the code runs in, and those that it names: they may be where it goes, or where it looks. */
function foldersNamed(
  names: readonly string[],
  folders: readonly string[],
  executed: ExecutedFiles,
): readonly string[] {
  const found = new Set(folders);
  for (let round = 0; round < 2; round++)
    for (const place of [...found])
      for (const name of names) {
        const path = pathFrom(place, name.replace(/[^/]*[?*].*$/s, '') || '.');
        if (found.has(path) || !executed.isOurs(path) || kindOf(path) !== 'directory') continue;
        if (found.size < MAX_FOLDERS) found.add(path);
        else executed.exceed(`Code in the line names more than ${MAX_FOLDERS} folders`);
      }
  return [...found];
}

function placesOf(
  name: string,
  places: readonly string[],
  executed: ExecutedFiles,
  counts: (path: string) => boolean,
): readonly string[] {
  return places.flatMap((place) => {
    const isPattern = /[*?]/.test(name);
    const own = name.startsWith('/') ? [name, `.${name}`] : [name];
    return own.flatMap((each) => {
      const paths = isPattern ? (matchesOf(place, each) ?? []) : [pathFrom(place, each)];
      return paths.filter((path) => executed.isOurs(path) && isFile(path) && counts(path));
    });
  });
}

/** `./g` of JavaScript is `./g.js`, `a.b` of Python is `a/b.py`, `A::B` of Perl is `A/B.pm`. */
function completed(
  name: string,
  language: CodeLanguage | undefined,
  endings: readonly string[],
): readonly string[] {
  if (!/^[\w@./:+-]+$/.test(name) || /^\.*\/*$/.test(name)) return [];
  if (language === 'javascript' && isBuiltin(name)) return [];
  const parts = name.replaceAll('::', '/');
  const isDotted = /^\w+(?:\.\w+)+$/.test(name);
  // `d.g.Case.test_x` leads to `d/g.py`.
  const dotted = isDotted ? name.split('.').map((_, at, all) => all.slice(0, at + 1).join('/')) : [];
  return [parts, ...dotted].flatMap((each) => endings.map((ending) => each + ending));
}

/**
 * Adds the executable files of ours that a text names; for code of which no more is known, all scripts that it names, if
 * it may run others.
 */
export function addNamed(
  text: string,
  folders: readonly string[] | undefined,
  executed: ExecutedFiles,
  { isCode: mayLoad = false } = {},
): void {
  if (mayLoad && !RUNS_OTHERS.test(text)) return;
  for (const [name] of text.matchAll(PATH)) {
    if (!name.includes('/') && !CODE.test(name)) continue;
    for (const folder of folders ?? ['/']) {
      // `process.cwd() + '/guard.js'`.
      for (const path of [pathFrom(folder, name), ...(mayLoad ? [pathFrom(folder, `./${name}`)] : [])]) {
        const isRun = isExecutable(path) || (mayLoad && CODE.test(path));
        if (executed.isOurs(path) && isFile(path) && isRun)
          executed.add(path, { needed: false, program: true });
      }
    }
  }
}
