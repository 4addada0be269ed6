/** Files named in a text that may run them: inline code, and values of variables and options. */
import type { ExecutedFiles } from './executed-files.js';
import { isExecutable, isFile, pathFrom } from './places.js';

const LOADS = [
  /\b(?:require|import)\s*\(\s*(['"`])(\.{0,2}\/[^'"`$]+)\1/g,
  /\b(?:from|import)\s+(['"])(\.{0,2}\/[^'"]+)\1/g,
  /\b(?:exec|run_path)\s*\(\s*(?:compile\s*\(\s*)?(?:open\s*\(\s*)?(['"])([^'"]+)\1/g,
];
const LOADS_PACKAGE = /\b(?:require\s*\(|import\s*\(|from|import)\s*(['"`])([^'"`$./][^'"`$]*)\1/g;

/** Code that contains one of these may run a file it names, however it builds the name. */
const RUNS_OTHERS =
  /\b(?:eval|exec\w*|spawn\w*|fork|system|popen|subprocess|child_process|Function|vm|runpy|load|do|qx|source|luafile|py3?file|rubyfile|IO\.popen|Open3)\b|\brequire\s*\((?!\s*(['"`])[^'"`]*\1\s*\))|\brequire\s+['"]|%run\b|`/;
export const CODE =
  /\.(?:[cm]?[jt]s|sh|bash|zsh|fish|ksh|py|rb|pl|pm|php|lua|ps1|tcl|vim|el|gdb|awk|sed|jl|R)$/;
const PATH = /[\w.@%+~/-]*[\w/-][\w.@%+~/-]*/g;

/** As written, relative to the folder where the code runs. */
export function filesInCode(code: string): readonly string[] {
  return LOADS.flatMap((pattern) => [...code.matchAll(pattern)].map(([, , path = '']) => path));
}

export function packagesInCode(code: string): readonly string[] {
  return [...code.matchAll(LOADS_PACKAGE)].map(([, , name = '']) => name);
}

/** Adds the executable files of ours that a text names; for code that runs other files, all scripts that it names. */
export function addNamed(
  text: string,
  folders: readonly string[] | undefined,
  executed: ExecutedFiles,
  { isCode = false } = {},
): void {
  if (isCode && !RUNS_OTHERS.test(text)) return;
  for (const [name] of text.matchAll(PATH)) {
    if (!name.includes('/') && !CODE.test(name)) continue;
    for (const folder of folders ?? ['/']) {
      // `process.cwd() + '/guard.js'`.
      for (const path of [pathFrom(folder, name), ...(isCode ? [pathFrom(folder, `./${name}`)] : [])]) {
        const isRun = isExecutable(path) || (isCode && CODE.test(path));
        if (executed.isOurs(path) && isFile(path) && isRun)
          executed.add(path, { needed: false, program: true });
      }
    }
  }
}
