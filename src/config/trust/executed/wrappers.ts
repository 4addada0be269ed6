/** uv, poetry, cross-env and similar programs, which set something up and then run a given command. */
import { join } from 'node:path';
import { interpreterOf } from '../../../shell/interpreters.js';
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import type { ExecutedFiles, Setting } from './executed-files.js';
import { followInterpreter, followInvocation, followScript } from './interpreted.js';
import { readOperands, valuesOf } from './operands.js';
import { type Follow, readIn } from './package-runners.js';
import { isExecutable, isFile, namesIn, pathFrom, upwards } from './places.js';
import { lineOf, wordOf } from './quote.js';
import { OPTION_FILES } from './script-options.js';

const list = (words: string): readonly string[] => words.split(' ');

const UV_OPTIONS = list(
  '--project --with --with-editable --with-requirements -p --python --extra --group --only-group --no-group --no-extra --package --env-file --index --default-index -i --index-url --extra-index-url -f --find-links --cache-dir --config-file --refresh-package -P --upgrade-package --resolution --prerelease --link-mode --color --python-platform --reinstall-package -m --module',
);

/** `uv run file.py`, `uv run program`. */
const uv: Follow = (run, executed) => {
  const at = run.args.findIndex(({ value }) => value === 'run');
  if (at < 0 || run.args[0]?.value === 'tool') return;
  runInProject({ ...run, args: run.args.filter((_, index) => index !== at) }, executed);
};

function runInProject(given: Run, executed: ExecutedFiles): void {
  const { operands, run } = readIn(given, UV_OPTIONS, executed, true);
  const python = interpreterOf('python');
  const [module] = valuesOf(operands, ['-m', '--module']);
  const [script] = operands.words;
  const isScript = operands.options.some(({ name }) => /^(?:-s|--script|--gui-script)$/.test(name));
  if (python === undefined) return;
  if (module !== undefined) followInvocation([wordOf('-m'), module], python, run, executed);
  else if (script === undefined) return;
  else if (isScript || script.value === '-' || /\.pyw?$|^[a-z]+:\/\//.test(script.value ?? ''))
    followScript(script, python, run, executed);
  else executed.readLine(lineOf(operands.words), withEnvironment(run.setting));
}

/** Puts the programs of `.venv` in front of PATH. */
function withEnvironment({ folder, variables, depth }: Setting): Setting {
  const programs = folder === undefined ? [] : upwards(folder).map((each) => join(each, '.venv/bin'));
  const path = [...programs, variables['PATH'] ?? ''].join(':');
  return { folder, variables: { ...variables, PATH: path }, depth: depth + 1 };
}

/** `poetry run program`, or the command after `--`. */
const behind =
  (word: string): Follow =>
  ({ args, setting }, executed) => {
    const at = args.findIndex(({ value }) => value === word);
    const rest = args.slice(at + 1).filter(({ value }, index) => index > 0 || value !== '--');
    if (at >= 0 && rest.length > 0) executed.readLine(lineOf(rest), withEnvironment(setting));
  };

/** `cross-env NAME=value program`. */
const crossEnv: Follow = ({ args, setting }, executed) => {
  executed.readLine(lineOf([wordOf('env'), ...args]), { ...setting, depth: setting.depth + 1 });
};

/** `run-parts folder` runs the executables in the folder. */
const runParts: Follow = ({ args, folders }, executed) => {
  const [folder] = readOperands(args, list('-a --arg -u --umask --regex')).words;
  for (const place of folder === undefined ? [] : executed.pathsOf(folder, folders)) {
    executed.folders.add(place);
    for (const path of namesIn(place).map((name) => join(place, name)))
      if (isExecutable(path)) executed.add(path, { needed: false, program: true });
  }
};

/** `uvx --from ./tool name` builds what is in the folder. */
const builtFrom: Follow = ({ args, folders = [] }, executed) => {
  for (const { value = '' } of valuesOf(
    readOperands(args, list('--from --with-editable')),
    list('--from --with-editable'),
  ))
    for (const place of folders.map((folder) => pathFrom(folder, value)))
      for (const name of ['pyproject.toml', 'setup.py', 'setup.cfg'])
        if (executed.isOurs(place) && isFile(join(place, name)))
          executed.add(join(place, name), { needed: false, program: false });
};

/** `envdir folder program`: each file in the folder is a variable, and may be PATH. */
const variablesIn: Follow = ({ args, folders }, executed) => {
  for (const word of args.filter(({ value }) => value !== undefined))
    for (const place of executed.pathsOf(word, folders))
      for (const name of namesIn(place)) executed.add(join(place, name), { needed: false, program: false });
};

/** `s/a/b/e` runs what is in the file, after the substitution. */
const sed: Follow = (run, executed) => {
  programFile(run, executed);
  if (run.args.some(({ value }) => RUNS_ITS_INPUT.test(value ?? '')))
    executed.fail(`What \`${run.program}\` runs is only known when the hook runs`);
};
const RUNS_ITS_INPUT = /(?:^|[\s;{}/$\d])s([/|#,:@!%+_~])(?:(?!\1).|\\.)*\1(?:(?!\1).|\\.)*\1[gpiIMm\d]*e/s;

/** `jq -f program`, `sed -nf program`: the first operand after the option; `--arg` takes two words. */
const programFile: Follow = (run, executed) => {
  const { args, folders } = run;
  followInterpreter(run, executed);
  const at = args.findIndex(({ value }) => /^-[a-zA-Z]*f$|^--from-file$/.test(value ?? ''));
  const behind = args.slice(at + 1);
  const first = behind.findIndex(
    ({ value = '' }, index) =>
      !(value.startsWith('-') || isArgument(behind[index - 1]) || isArgument(behind[index - 2])),
  );
  const file = behind[first];
  if (at >= 0 && file !== undefined) executed.addFound(executed.pathsOf(file, folders));
};

function isArgument(word: ShellWord | undefined): boolean {
  return /^--(?:arg|argjson|slurpfile|rawfile)$/.test(word?.value ?? '');
}

const named = (names: string, follow: Follow): [string, Follow][] =>
  list(names).map((name) => [name, follow]);

export const WRAPPERS: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ['uv', uv],
  ['run-parts', runParts],
  ...OPTION_FILES,
  ...named('jq gojq jaq', programFile),
  ...named('sed gsed', sed),
  ...named('envdir chpst', variablesIn),
  ['uvx', builtFrom],
  ...named('poetry pipenv pdm hatch rye pixi', behind('run')),
  ['bundle', behind('exec')],
  ...named('op doppler dotenv dotenvx infisical', behind('--')),
  ...named('cross-env cross-env-shell', crossEnv),
]);
