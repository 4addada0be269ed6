/** What an interpreter runs: a script, a module, its preloads, its input. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languageOf } from '../../../shell/code/started-lines.js';
import { type Interpreter, interpreterOf } from '../../../shell/interpreters.js';
import { readInvocation } from '../../../shell/invocations.js';
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { followGiven } from './given-files.js';
import { addCode, addNamed, filesInCode, packagesInCode } from './inline-code.js';
import { addLibraries, addPackage, hasLibraries } from './libraries.js';
import { resolveMain, runScript } from './packages.js';
import { isFile, kindOf, pathFrom, realOrSame } from './places.js';
import { addImports, addModule, addShadows, moduleFolders } from './python-modules.js';
import { followInputFile, followModuleArguments } from './script-options.js';

/** Options whose value may be a package name. */
const TAKES_PACKAGES = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '--preload',
]);
/** A word that consists only of an expansion. */
const ONLY_EXPANDED = /^"?\$(?:\w+|\{[^{}]*\}|\(.*\))"?$|^"?`.*`"?$/s;

export function followInterpreter(run: Run, executed: ExecutedFiles): void {
  const { program, args } = run;
  const interpreter = interpreterOf(program);
  if (program === '.' || program === 'source') followSource(run, executed);
  else if (interpreter?.endings && args[0]?.value === '--run') runScript(args[1], run, executed);
  else if (interpreter) followInvocation(args, withLines(program, interpreter), run, executed);
}

/** Lines for shells with a grammar of their own are code in another language here. */
function withLines(program: string, interpreter: Interpreter): Interpreter {
  if (!/^(?:fish|nu|xonsh|guile)$/.test(program)) return interpreter;
  return { ...interpreter, code: [...(interpreter.code ?? []), '-c', '--command', '--commands'] };
}

/** Contract: `args` are the words after the interpreter's name. */
export function followInvocation(
  args: readonly ShellWord[],
  interpreter: Interpreter,
  run: Run,
  executed: ExecutedFiles,
): void {
  const invocation = readInvocation(args, interpreter);
  if (invocation === undefined || onlyChecks(args, interpreter)) return;
  const { preloads, script, module, code, codes = [], unclear } = invocation;
  for (const { option, file } of preloads) {
    const isPackage = TAKES_PACKAGES.has(option) && !/^(?:\.{0,2}\/|file:)/.test(file.value ?? '/');
    if (isPackage) addPackage(file.value ?? '', run, executed);
    // `ruby -r./x` loads `x.rb`.
    else if (hasLibraries(run.program))
      executed.guess((trial) => followScript(file, interpreter, run, trial));
    else followScript(file, interpreter, run, executed);
  }
  addLibraries(run, executed);
  if (interpreter.runsNoOperand) followTexts(run, executed);
  if (unclear !== undefined) executed.failWord(unclear);
  else if (module !== undefined) followModule(module, run, executed);
  else if (code !== undefined)
    for (const each of [code, ...codes.slice(1)]) followCode(each, interpreter, run, executed);
  else if (script === undefined || script.value === '-') followInput(interpreter, run, executed);
  else if (interpreter.onlyFiles?.test(script.value ?? '') !== false)
    followScript(script, interpreter, run, executed);
}

/** `bash -n script`, `node --check script`, `php -l script`: nothing of it runs. */
export function onlyChecks(args: readonly ShellWord[], interpreter: Interpreter): boolean {
  const [first] = args.map(({ value }) => value);
  if (interpreter === interpreterOf('php')) return first === '-l' && args.length === 2;
  return interpreter.shell ? first === '-n' && args.length === 2 : first === '--check' && args.length === 2;
}

/** `node < file`; what comes through a pipe is unknown. */
function followInput(interpreter: Interpreter, run: Run, executed: ExecutedFiles): void {
  const { program, args, command, folders } = run;
  if (!interpreter.readsInput) return;
  if (interpreter.module !== undefined)
    addShadows(moduleFolders(folders ?? [], run.setting.variables), executed);
  if (command.fed) executed.fail(`Which files \`${program}\` gets to run is only known when the hook runs`);
  const input = command.redirects.findLast(
    ({ operator, descriptor = 0 }) => operator.startsWith('<') && descriptor === 0,
  );
  if (input?.operator === '<&') followDescriptor(input.target, run, executed);
  else if (input?.operator.startsWith('<<')) followCode(input.target, interpreter, run, executed);
  else if (input) executed.addFound(executed.pathsOf(input.target, folders));
  const onlyInforms = args.some(({ value }) => /^(?:-[vVh]|--version|--help)$/.test(value ?? ''));
  if (input === undefined && command.piped && !onlyInforms)
    executed.fail(`What \`${program}\` runs comes through a pipe, and is only known when the hook runs`);
}

/** `sh <&3 3< file`. */
function followDescriptor(target: ShellWord, { command, folders }: Run, executed: ExecutedFiles): void {
  const opened = command.redirects.findLast(({ descriptor }) => String(descriptor) === target.value);
  if (opened?.operator === '<') executed.addFound(executed.pathsOf(opened.target, folders));
  else executed.failWord(target);
}

export function followScript(
  word: ShellWord,
  interpreter: Interpreter,
  { folders, setting }: Pick<Run, 'folders' | 'setting'>,
  executed: ExecutedFiles,
): void {
  const { value } = word;
  if (value !== undefined && /^[a-z][a-z0-9+.-]+:/.test(value) && !interpreter.shell) {
    if (value.startsWith('file://')) executed.addFound([fileURLToPath(value)]);
    else if (!/^(?:data|node|npm|jsr):/.test(value))
      executed.fail(`What \`${value}\` holds is only known when the hook runs`);
    return;
  }
  const paths = executed.pathsOf(word, folders);
  const found = paths.map((path) => resolveScript(path, interpreter, executed));
  const inPath =
    interpreter.shell && value?.includes('/') === false && !found.some(isFile)
      ? (setting.variables['PATH'] ?? '')
          .split(':')
          .map((folder) => pathFrom(folders?.[0] ?? '/', `${folder}/${value}`))
      : [];
  executed.addFound([...found, ...inPath.filter(isFile).slice(0, 1)]);
  // Python searches the script's folder for modules first, then PYTHONPATH.
  if (interpreter.module === undefined) return;
  const own = found.filter(isFile).map((path) => dirname(realOrSame(path)));
  const [, ...more] = moduleFolders(folders?.slice(0, 1) ?? ['/'], setting.variables);
  addShadows([...own, ...more], executed);
}

/** As the interpreter resolves it; the path itself if nothing is found. */
function resolveScript(path: string, interpreter: Interpreter, executed: ExecutedFiles): string {
  const kind = kindOf(path);
  if (kind === 'file') return path;
  const ended = interpreter.endings?.map((ending) => path + ending).find(isFile);
  if (ended !== undefined) return ended;
  if (kind === undefined || !interpreter.directory) return path;
  return interpreter.endings ? resolveMain(path, interpreter.endings, executed) : join(path, '__main__.py');
}

/** `python -m a.b`: searched in the current folder and in PYTHONPATH. A module found in neither is an installed one. */
function followModule(module: ShellWord, run: Run, executed: ExecutedFiles): void {
  const { args, folders, setting } = run;
  if (module.value === undefined || folders === undefined) {
    executed.failWord(module);
    return;
  }
  const places = moduleFolders(folders, setting.variables);
  addShadows(places, executed);
  addModule(module.value, places, executed);
  if (module.value === 'code') followInputFile({ ...run, program: 'ed' }, executed);
  // `-mpdb` is one word.
  const at = args.findIndex(({ raw }) => raw === module.raw);
  const rest = args.slice(at + 1);
  followModuleArguments(module.value, rest, run, executed);
  followGiven({ ...run, program: module.value, args: rest }, executed);
}

/** Inline code is part of the line and thus covered; only the files it loads by path are not. */
function followCode(code: ShellWord, interpreter: Interpreter, run: Run, executed: ExecutedFiles): void {
  const { folders, setting } = run;
  // A line for a shell is listed separately.
  if (interpreter.shell) return;
  if (code.value === undefined && ONLY_EXPANDED.test(code.raw)) executed.failWord(code);
  const text = code.value ?? code.raw;
  addCode(text, run, executed);
  if (interpreter.module !== undefined)
    addImports(text, moduleFolders(folders ?? [], setting.variables), executed);
  if (interpreter.endings) for (const name of packagesInCode(text)) addPackage(name, run, executed);
  for (const path of filesInCode(code.value ?? '')) {
    const places = (folders ?? []).map((folder) =>
      resolveScript(pathFrom(folder, path), interpreter, executed),
    );
    if (!path.endsWith('.json') && places.some(isFile)) executed.addFound(places);
  }
}

/** `awk 'BEGIN { system("./guard.sh") }'`. A word that is only a path is read, not run. */
function followTexts(run: Run, executed: ExecutedFiles): void {
  for (const { value = '' } of run.args)
    if (/[\s"'|]/.test(value)) {
      addNamed(value, run.folders, executed);
      if (languageOf(run.program) === 'awk') addCode(value, run, executed);
    }
}

/** A name without a slash is searched in PATH first, then in the current folder. */
function followSource({ args: [file], folders, setting }: Run, executed: ExecutedFiles): void {
  if (file === undefined) return;
  const paths = executed.pathsOf(file, folders);
  const places = file.value?.includes('/') === false ? (setting.variables['PATH'] ?? '').split(':') : [];
  const found = places
    .map((folder) => pathFrom(dirname(paths[0] ?? '/'), `${folder}/${file.value}`))
    .find(isFile);
  if (found === undefined) executed.addFound(paths);
  else executed.add(found, { needed: true, program: false });
}
