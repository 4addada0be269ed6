/** Programs that run a file which an option, a module's argument or their input names: `vim -S file`, `at < file`. */
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { addCode } from './inline-code.js';
import { readOperands, valuesOf } from './operands.js';
import type { Follow } from './package-runners.js';
import { addImports, addModule, moduleFolders } from './python-modules.js';

const list = (words: string): readonly string[] => words.split(' ');

/** They hand their input to a shell, or run it. */
const RUNS_INPUT = new Set(
  list('at batch parallel sudo su doas runuser ed ex vi vim nvim gdb lldb dc m4 crontab'),
);

/** `at now < file`. */
export function followInputFile({ program, command, folders }: Run, executed: ExecutedFiles): void {
  if (!RUNS_INPUT.has(program)) return;
  const input = command.redirects.findLast(
    ({ operator, descriptor = 0 }) => operator === '<' && descriptor === 0,
  );
  if (input !== undefined) executed.addFound(executed.pathsOf(input.target, folders));
}

/** Options whose value is a file that is run, and options whose value is code. */
const optionFiles =
  (files: string, code: string): Follow =>
  (run, executed) => {
    const { args, folders } = run;
    const operands = readOperands(args, [...list(files), ...list(code)]);
    // `-Nu file`: short options in one word.
    const behind = args.filter((_, at) => {
      const option = /^-[A-Za-z]+([A-Za-z])$/.exec(args[at - 1]?.value ?? '')?.[1];
      return option !== undefined && list(files).includes(`-${option}`);
    });
    for (const file of behind) executed.guess((trial) => trial.addFound(trial.pathsOf(file, folders)));
    // `-sc` may be two options.
    for (const file of valuesOf(operands, list(files)))
      if (/^-\w./.test(file.raw)) executed.guess((trial) => trial.addFound(trial.pathsOf(file, folders)));
      else executed.addFound(executed.pathsOf(file, folders));
    const clustered = args.filter((_, at) => /^-[a-zA-Z]+c$/.test(args[at - 1]?.value ?? ''));
    const plus = args.filter(({ value }) => value?.startsWith('+'));
    for (const { value, raw } of [...valuesOf(operands, list(code)), ...clustered, ...plus])
      addCode(value ?? raw, run, executed);
  };

const vim = optionFiles('-S -s -u -U -l', '-c --cmd');

export const OPTION_FILES: readonly (readonly [string, Follow])[] = [
  ...list('vi vim nvim gvim view ex').map((name) => [name, vim] as const),
  ['emacs', optionFiles('--script -l --load', '--eval --execute -f --funcall')],
  ...list('at batch').map((name) => [name, optionFiles('-f', '-t')] as const),
  ['gdb', optionFiles('-x --command -ix', '-ex -iex --eval-command')],
];

/** Modules of Python that run a script or another module. */
const RUNNERS = new Set(
  list(
    'cProfile profile pdb trace coverage runpy scalene memory_profiler kernprof viztracer pyinstrument debugpy IPython bpython ptpython',
  ),
);
const VALUED = list(
  '-o -s -C --coverdir -f --file --ignore-module --ignore-dir -c --command --rcfile --source --include --omit --context --data-file --concurrency -r --outfile --output_file --listen -m --module',
);

/** `python3 -m cProfile -o out script.py`, `python3 -m coverage run -m module`; `timeit` takes code. */
export function followModuleArguments(
  name: string,
  args: readonly ShellWord[],
  run: Run,
  executed: ExecutedFiles,
): void {
  const { folders, setting } = run;
  const places = moduleFolders(folders ?? [], setting.variables);
  if (name === 'timeit')
    for (const { value, raw } of args) {
      addImports(value ?? raw, places, executed);
      addCode(value ?? raw, run, executed);
    }
  if (/^(?:unittest|pydoc|inspect)$/.test(name)) addTestModules(args, places, executed);
  if (/^(?:doctest|pickle)$/.test(name))
    for (const file of readOperands(args, ['-o']).words)
      executed.guess((trial) => trial.addFound(trial.pathsOf(file, folders)));
  if (name === 'http.server' && args.some(({ value }) => value === '--cgi'))
    executed.fail('Which programs a server with `--cgi` runs is only known when the hook runs');
  if (!RUNNERS.has(name)) return;
  const operands = readOperands(name === 'coverage' ? args.slice(1) : args, VALUED, true);
  const [module] = valuesOf(operands, ['-m', '--module']);
  const [script] = operands.words;
  const named = module ?? (name === 'runpy' ? script : undefined);
  if (named !== undefined) {
    if (named.value === undefined) executed.failWord(named);
    else addModule(named.value, places, executed);
  } else if (script !== undefined && (name !== 'coverage' || args[0]?.value === 'run')) {
    executed.addFound(executed.pathsOf(script, folders));
  }
}

/** `python3 -m unittest tests.guard.Case`: what it names; what it finds by itself does not count. */
function addTestModules(
  args: readonly ShellWord[],
  places: readonly string[],
  executed: ExecutedFiles,
): void {
  for (const { value = '' } of args) {
    const names = value.replace(/\.py$/, '').split(/[./]/);
    if (!value.startsWith('-'))
      for (const [at] of names.entries())
        executed.guess((trial) => addModule(names.slice(0, at + 1).join('.'), places, trial));
  }
}
