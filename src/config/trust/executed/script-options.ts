/** Programs that run a file which an option, a module's argument or their input names: `vim -S file`, `at < file`. */
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { addNamed } from './inline-code.js';
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
  ({ args, folders }, executed) => {
    const operands = readOperands(args, [...list(files), ...list(code)]);
    for (const file of valuesOf(operands, list(files))) executed.addFound(executed.pathsOf(file, folders));
    const plus = args.filter(({ value }) => value?.startsWith('+'));
    for (const { value, raw } of [...valuesOf(operands, list(code)), ...plus])
      addNamed(value ?? raw, folders, executed, { isCode: true });
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
    'cProfile profile pdb trace coverage runpy scalene memory_profiler kernprof viztracer pyinstrument debugpy IPython',
  ),
);
const VALUED = list(
  '-o -s -C --coverdir -f --file --ignore-module --ignore-dir -c --command --rcfile --source --include --omit --context --data-file --concurrency -r --outfile --output_file --listen -m --module',
);

/** `python3 -m cProfile -o out script.py`, `python3 -m coverage run -m module`; `timeit` takes code. */
export function followModuleArguments(
  name: string,
  args: readonly ShellWord[],
  { folders, setting }: Run,
  executed: ExecutedFiles,
): void {
  const places = moduleFolders(folders ?? [], setting.variables);
  if (name === 'timeit')
    for (const { value, raw } of args) {
      addImports(value ?? raw, places, executed);
      addNamed(value ?? raw, folders, executed, { isCode: true });
    }
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
