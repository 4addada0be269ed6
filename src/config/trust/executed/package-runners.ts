/** npm, npx, bun and similar programs, which run the scripts or installed programs of a package. */
import { join } from 'node:path';
import { type Interpreter, interpreterOf } from '../../../shell/interpreters.js';
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { followInvocation } from './interpreted.js';
import { type Operands, readOperands, valuesOf } from './operands.js';
import {
  addInstalled,
  addSettings,
  packageFolder,
  readTask,
  runScript,
  runScripts,
  scriptsIn,
  withLocalPrograms,
} from './packages.js';
import { isFile, pathFrom } from './places.js';
import { lineOf, wordOf } from './quote.js';

export type Follow = (run: Run, executed: ExecutedFiles) => void;

const list = (words: string): readonly string[] => words.split(' ');

const MOVES = list('-C --prefix --dir --cwd --directory');
/** Options that select among several packages, which only the program can resolve. */
const SEVERAL = list('-w -ws --workspace --workspaces -r --recursive -F --filter --filter-prod');
/** Options that change how a script is run. */
const RESHAPES = list('--script-shell --node-options --userconfig --globalconfig');
const NPM_OPTIONS = [
  ...list('-w --workspace -F --filter --loglevel --registry --cache --reporter'),
  ...RESHAPES,
];
const NPX_OPTIONS = list('-p --package -c --call --registry --cache');
/** The scripts of a manifest that npm runs on install. */
const INSTALLS = list('preinstall install postinstall prepublish preprepare prepare postprepare');
const PACKS = [
  ...INSTALLS,
  ...list('prepack pack postpack prepublishOnly publish postpublish preversion version postversion'),
];

const SUBCOMMANDS: readonly (readonly [
  pattern: RegExp,
  follow: (call: Call, executed: ExecutedFiles) => void,
])[] = [
  [/^(?:run|run-script|rum|urn)$/, ({ rest, run }, executed) => runScript(rest[0], run, executed)],
  [/^(?:exec|x)$/, ({ behind, run }, executed) => runProgram({ ...run, args: behind }, executed)],
  [/^(?:dlx|create|init)$/, () => {}],
  [
    /^explore$/,
    ({ run }, executed) =>
      executed.fail(`What \`${run.program} explore\` runs is only known to ${run.program}`),
  ],
  [/^(?:t|tst|test)$/, ({ run }, executed) => runScripts(['test'], run, executed)],
  [
    /^(?:start|stop|restart)$/,
    ({ name, run }, executed) => {
      runScripts([name], run, executed);
      if (name !== 'stop') addServer(run, executed);
    },
  ],
  [
    /^(?:i|install|ci|clean-install|rebuild|add|update|up|upgrade|link|it|cit|install-test)$/,
    ({ rest, run }, executed) => {
      runInstalls(run, executed);
      for (const { value = '' } of rest)
        for (const place of (run.folders ?? []).map((folder) => pathFrom(folder, value)))
          if (isFile(join(place, 'package.json')) && executed.isOurs(place))
            runInstalls({ ...run, folders: [place], setting: { ...run.setting, folder: place } }, executed);
    },
  ],
  [/^(?:pack|publish|version|pub)$/, ({ run }, executed) => runInstalls(run, executed, PACKS)],
];

/** `npm name rest`. */
interface Call {
  readonly name: string;
  /** The operands after the name. */
  readonly rest: readonly ShellWord[];
  /** All words after the name. */
  readonly behind: readonly ShellWord[];
  readonly run: Run;
}

const npm: Follow = (given, executed) => {
  const { operands, run } = readIn(given, NPM_OPTIONS, executed);
  const [command, ...rest] = operands.words;
  const odd = operands.options.find(({ name }) => SEVERAL.includes(name) || RESHAPES.includes(name))?.name;
  const isOdd = odd !== undefined || /^workspaces?$/.test(command?.value ?? '');
  if (isOdd)
    executed.fail(`What \`${run.program} ${odd ?? command?.value}\` runs is only known to ${run.program}`);
  else if (command?.value !== undefined) {
    const name = command.value;
    // Only npm has this short form of `exec`; for the others it may be a script.
    const isScript = name === 'x' && run.program !== 'npm';
    const [, follow] = (!isScript && SUBCOMMANDS.find(([pattern]) => pattern.test(name))) || [];
    if (follow) follow({ name, rest, behind: run.args.slice(run.args.indexOf(command) + 1), run }, executed);
    else if (run.program !== 'npm') runByName(operands.words, run, executed);
  } else if (command !== undefined) executed.failWord(command);
  else if (run.program === 'yarn') runInstalls(run, executed);
};

function runInstalls(run: Run, executed: ExecutedFiles, names = INSTALLS): void {
  const folder = packageFolder(run, executed);
  // One that appears later counts too.
  if (folder !== undefined) runScripts(names, run, executed);
}

/** What `npm start` runs without a script of this name. */
function addServer(run: Run, executed: ExecutedFiles): void {
  const folder = packageFolder(run, executed);
  if (folder === undefined || Object.hasOwn(scriptsIn(folder), 'start')) return;
  executed.folders.add(folder);
  if (isFile(join(folder, 'server.js')))
    executed.add(join(folder, 'server.js'), { needed: true, program: false });
}

/** `yarn lint`: a script of this name, or else a program. */
function runByName(words: readonly ShellWord[], run: Run, executed: ExecutedFiles): void {
  const name = words[0]?.value;
  const folder = name === undefined ? undefined : packageFolder(run, executed);
  if (name === undefined || folder === undefined) return;
  addSettings(folder, executed);
  if (Object.hasOwn(scriptsIn(folder), name)) runScripts([name], run, executed);
  else runLocal(words, run, executed);
}

/** `npm exec program`. */
const runProgram: Follow = (given, executed) => {
  const { operands, run } = readIn(given, NPX_OPTIONS, executed, true);
  const [line] = valuesOf(operands, ['-c', '--call']);
  for (const folder of run.folders ?? []) addSettings(folder, executed);
  if (line === undefined) runLocal(operands.words, run, executed);
  else if (line.value === undefined) executed.failWord(line);
  else executed.readLine(line.value, withLocalPrograms(run.setting, run.folders?.[0] ?? '/'));
};

/** Like `npm exec`, except that a path is a package to install first. */
const npx: Follow = (run, executed) => {
  const [tool] = readOperands(run.args, [...NPX_OPTIONS, ...MOVES], true).words;
  if (tool !== undefined && /^[./~]|:/.test(tool.value ?? '')) executed.failWord(tool);
  else runProgram(run, executed);
};

/** A program installed by the package or one above it; a scope or version is stripped from its name. */
function runLocal(words: readonly ShellWord[], run: Run, executed: ExecutedFiles): void {
  const [tool, ...rest] = words;
  const [folder] = run.folders ?? [];
  if (tool?.value === undefined) {
    if (tool !== undefined) executed.failWord(tool);
  } else if (folder === undefined) {
    executed.fail(`In which folder \`${tool.value}\` is looked for is only known when the hook runs`);
  } else {
    const name = tool.value.replace(/(?<=.)@[^/@]*$/, '');
    const isPath = /^[./]/.test(name);
    const own = isPath ? tool : { ...tool, value: name.split('/').at(-1) ?? name };
    if (!isPath) addInstalled(name, folder, executed);
    executed.readLine(lineOf([own, ...rest]), withLocalPrograms(run.setting, folder));
  }
}

/** The code of `deno eval`. */
const EVAL: Interpreter = { flags: /^$/, code: ['-e'], endings: [] };

/** `bun file`, `bun run script`, `deno task name`. */
const scripted: Follow = (given, executed) => {
  const interpreter = interpreterOf(given.program);
  if (interpreter === undefined) return;
  const { valued = [], preloads = [], code = [] } = interpreter;
  const { operands, run } = readIn(given, [...valued, ...preloads, ...code], executed);
  if (run.program === 'bun') for (const folder of run.folders ?? []) addSettings(folder, executed);
  const [command, ...rest] = operands.words;
  const args = command === undefined ? [] : run.args.slice(run.args.indexOf(command) + 1);
  if (command?.value === 'x') npx({ ...run, args }, executed);
  else if (command?.value === 'exec') runProgram({ ...run, args }, executed);
  else if (command?.value === 'task') runTask(rest[0], run, executed);
  else if (command?.value === 'eval') followInvocation([wordOf('-e'), ...rest], EVAL, run, executed);
  else {
    followInvocation(run.args, interpreter, run, executed);
    const words = command?.value === 'run' ? rest : operands.words;
    if (run.program === 'bun' && interpreter.onlyFiles?.test(words[0]?.value ?? '') === false)
      runBun(words, run, executed);
  }
};

const BUN_COMMANDS = /^(?:test|add|remove|update|create|init|build|pm|link|upgrade|outdated|publish|repl)$/;

function runBun(words: readonly ShellWord[], run: Run, executed: ExecutedFiles): void {
  const name = words[0]?.value ?? '';
  if (/^(?:install|i|ci)$/.test(name)) runInstalls(run, executed);
  else if (!BUN_COMMANDS.test(name)) runByName(words, run, executed);
}

function runTask(task: ShellWord | undefined, run: Run, executed: ExecutedFiles): void {
  const [folder] = run.folders ?? [];
  if (task === undefined) return;
  if (task.value === undefined || folder === undefined) executed.failWord(task);
  else {
    const line = readTask(task.value, folder, executed);
    if (line === undefined) runScripts([task.value], run, executed);
    else executed.readLine(line, withLocalPrograms(run.setting, folder));
  }
}

const named = (names: string, follow: Follow): [string, Follow][] =>
  list(names).map((name) => [name, follow]);

export const PACKAGE_RUNNERS: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ...named('npm pnpm yarn', npm),
  ...named('npx pnpx bunx', npx),
  ...named('bun deno', scripted),
]);

/** The operands, and the run moved to the folder that an option names. */
export function readIn(
  run: Run,
  valued: readonly string[],
  executed: ExecutedFiles,
  leading = false,
): { readonly operands: Operands; readonly run: Run } {
  const operands = readOperands(run.args, [...valued, ...MOVES], leading);
  const moved = valuesOf(operands, MOVES).at(-1);
  const folders = moved === undefined ? run.folders : executed.pathsOf(moved, run.folders);
  return { operands, run: { ...run, folders, setting: { ...run.setting, folder: folders?.[0] } } };
}
