/**
 * Files of ours that a program is given and may load or run: scripts, libraries and settings, as operands, in options,
 * as its input, through a volume. Only the program knows what it does with them, so they count.
 */
import { isChecker } from '../../../shell/checking-programs.js';
import { isKnownProgram } from '../../../shell/effects.js';
import { interpreterOf } from '../../../shell/interpreters.js';
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { addCode } from './inline-code.js';
import { isArchive, isData, isLibrary } from './kinds-of-files.js';
import { addLibraries } from './libraries.js';
import { LOADED, loadedBy } from './loaded-files.js';
import { isExecutable, isFile, matchesOf, namesIn, pathFrom } from './places.js';
import { addModule, moduleFolders } from './python-modules.js';

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Options that name a folder with code. */
const LOADS_FOLDERS = /rulesdir|plugin|formatters|load-?path|^-(?:L|I|pa|pz)$/;
/** Their words are names of Python's modules. */
const PYTHON_TOOLS = list(
  'pytest py.test pylint celery gunicorn uvicorn hypercorn daphne flask django-admin alembic invoke fab locust scrapy streamlit sphinx-build nose2 behave robot',
);
const RUBY_TOOLS = list('rspec rubocop irb rake minitest puma rackup');
const CONTAINERS = list('docker podman nerdctl');
/** They hand their input to a program that may run it. */
const PASSES_INPUT = list(
  'ssh mosh docker podman nerdctl kubectl oc lxc incus nsenter chroot unshare psql mysql mariadb sqlite3 mongosh redis-cli vagrant wsl',
);

/** Contract: adds only files that exist and are ours; what they are given in a pipe is a problem. */
export function followGiven(run: Run, executed: ExecutedFiles): void {
  const args = CONTAINERS.has(run.program) ? onThisMachine(run.args) : run.args;
  const add = (file: string, counts: (path: string) => boolean): void => {
    for (const folder of file.startsWith('/') ? ['/'] : (run.folders ?? [])) {
      const path = pathFrom(folder, file);
      if (executed.isOurs(path) && isFile(path) && counts(path))
        executed.add(path, { needed: false, program: isExecutable(path) });
    }
  };
  const isLoaded = loadedBy(run);
  const isOpaque = !isKnownProgram(run.program) && interpreterOf(run.program) === undefined;
  for (const [at, { value = '' }] of args.entries()) {
    const option = optionOf(value) ?? optionOf(args[at - 1]?.value ?? '', true);
    for (const file of [...pathsIn(value), ...matching(value, run)]) {
      add(file, (path) => isLoaded(path, value, option));
      if (LOADS_FOLDERS.test(option ?? ''))
        for (const folder of run.folders ?? [])
          for (const name of namesIn(pathFrom(folder, file)))
            add(`${file}/${name}`, (path) => LOADED.test(path) || !isData(path));
    }
    // `--eval '(load "x.lisp")'`: the language is not known, nor whether it is one.
    if (isOpaque && /[\s"'(]/.test(value)) addCode(value, run, executed);
  }
  followInput(run, add, executed);
  if (PYTHON_TOOLS.has(run.program)) addNamedModules(run.args, run, executed);
  if (RUBY_TOOLS.has(run.program)) addLibraries({ ...run, program: 'ruby' }, executed);
}

/** `'d/*.exs'`, in quotes: the program itself looks for them. */
function matching(pattern: string, { program, folders = [] }: Run): readonly string[] {
  if (!/[*?]/.test(pattern) || isKnownProgram(program) || isChecker(program)) return [];
  return folders.flatMap((folder) => matchesOf(folder, pattern) ?? []);
}

/** Files among texts that a variable hands to programs. */
export function addGiven(
  words: readonly ShellWord[],
  folders: readonly string[] | undefined,
  executed: ExecutedFiles,
): void {
  for (const file of words.flatMap(({ value = '' }) => pathsIn(value)))
    for (const folder of file.startsWith('/') ? ['/'] : (folders ?? [])) {
      const path = pathFrom(folder, file);
      const isLoaded = isLibrary(path) || LOADED.test(path) || isExecutable(path);
      if (executed.isOurs(path) && isFile(path) && isLoaded)
        executed.add(path, { needed: false, program: isExecutable(path) });
    }
}

/** Files in a value that are no data. */
export function addNamedFiles(
  text: string,
  folders: readonly string[] | undefined,
  executed: ExecutedFiles,
): void {
  for (const file of pathsIn(text))
    for (const folder of file.startsWith('/') ? ['/'] : (folders ?? [])) {
      const path = pathFrom(folder, file);
      if (executed.isOurs(path) && isFile(path) && (!isData(path) || isArchive(path)))
        executed.add(path, { needed: false, program: isExecutable(path) });
    }
}

/** `--name=value`, `-nvalue`; the word before a value if `alone`. */
function optionOf(text: string, alone = false): string | undefined {
  if (alone) return /^-{1,2}\w[^=]*$/.test(text) ? text : undefined;
  return /^(-{1,2}[\w-]+)(?:[=:]|$)/.exec(text)?.[1] ?? /^(-\w)./.exec(text)?.[1];
}

/** `x`, `--file=x`, `-fx`, `-javaagent:x`, `@x`, `EXEC:x`, `a=b=x`. */
export function pathsIn(value: string): readonly string[] {
  const parts = value.split(/[=:,@|!+]+/);
  const attached = /^-\w(.+)$/.exec(value)?.[1];
  return [...new Set([value, ...parts, ...(attached === undefined ? [] : [attached])])].filter(
    (part) => part !== '' && !part.startsWith('-'),
  );
}

/** Words in a container that lead through a volume to this machine: `-v $PWD:/x … /x/guard.sh`. */
function onThisMachine(args: readonly ShellWord[]): readonly ShellWord[] {
  const volumes = args.flatMap(({ value = '' }) => {
    const [, from = '', to = ''] =
      /^(?:-v|--volume=)?([^:=]+):(\/[^:]*)(?::\w+)?$/.exec(value) ??
      /^(?:--mount=)?(?=.*\bbind\b).*\b(?:src|source)=([^,]+).*\b(?:dst|destination|target)=([^,]+)/.exec(
        value,
      ) ??
      [];
    return to === '' ? [] : [{ from, to }];
  });
  if (volumes.length === 0) return args;
  const seen = args.flatMap((word) =>
    volumes.flatMap(({ from, to }) =>
      word.value?.includes(`${to}/`) ? [{ ...word, value: word.value.replaceAll(`${to}/`, `${from}/`) }] : [],
    ),
  );
  const texts = seen.flatMap((word) => word.value.split(/\s+/).map((value) => ({ ...word, value })));
  return [...args, ...texts];
}

/** `ssh host < guard.sh`. */
function followInput(
  { program, args, command }: Run,
  add: (file: string, counts: (path: string) => boolean) => void,
  executed: ExecutedFiles,
): void {
  if (isKnownProgram(program) || interpreterOf(program) !== undefined) return;
  const passes = PASSES_INPUT.has(program);
  const input = command.redirects.findLast(
    ({ operator, descriptor = 0 }) => operator.startsWith('<') && descriptor === 0,
  );
  if (input !== undefined) {
    const { value } = input.target;
    if (value === undefined && passes && !input.operator.startsWith('<<')) executed.failWord(input.target);
    else if (!input.operator.startsWith('<<'))
      add(value ?? '', (path) => passes || LOADED.test(path) || isExecutable(path));
  } else if (command.piped && passes && runsPipe(program, args))
    executed.fail(`What \`${program}\` runs comes through a pipe, and is only known when the hook runs`);
}

/** A shell among its words, or `ssh host`, which starts one. */
function runsPipe(program: string, args: readonly ShellWord[]): boolean {
  const words = args.flatMap(({ value }) => value?.split(/\s+/) ?? []);
  if (words.some((word) => interpreterOf(word)?.readsInput === true)) return true;
  return program === 'ssh' && args.filter(({ value }) => !value?.startsWith('-')).length === 1;
}

/** `pytest -p plugin`, `gunicorn module:app`, `--load-plugins=a,b`. */
export function addNamedModules(
  args: readonly ShellWord[],
  { folders, setting }: Pick<Run, 'folders' | 'setting'>,
  executed: ExecutedFiles,
): void {
  const places = moduleFolders(folders ?? [], setting.variables).filter((place) => executed.isOurs(place));
  for (const { value = '' } of args)
    for (const name of pathsIn(value).flatMap((part) => part.split(/\s+/)))
      if (/^[A-Za-z_]\w*(?:(?:\.\w+)*|(?:\/\w+)*)$/.test(name))
        executed.guess((trial) => addModule(name.replaceAll('/', '.'), places, trial));
}
