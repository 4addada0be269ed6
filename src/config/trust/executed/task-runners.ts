/** make, just and similar programs, which run the contents of a file with a fixed name. */
import { basename, dirname, join } from 'node:path';
import type { ShellWord } from '../../../shell/read-line.js';
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { readOperands, valuesOf } from './operands.js';
import { findUp, upwards as foldersUp, isFile, kindOf, namesIn, pathFrom } from './places.js';

interface TaskRunner {
  /** The first existing file is used. */
  readonly names: readonly string[];
  /** Options that name another file. */
  readonly file?: readonly string[];
  /** Options that name another folder. */
  readonly folder?: readonly string[];
  /** Files that are read too, if they are beside it. */
  readonly beside?: readonly string[];
  /** It only runs something if its first words are one of these. */
  readonly commands?: readonly string[];
  /** The file may be in a parent folder. */
  readonly upwards?: boolean;
  /** The file may be missing, because there are other ways to configure what runs. */
  readonly optional?: boolean;
}

const list = (words: string): readonly string[] => words.split(' ');
const MAKE: TaskRunner = {
  names: list('GNUmakefile makefile Makefile'),
  file: list('-f --file --makefile'),
  folder: list('-C --directory'),
};
const COMPOSE: TaskRunner = {
  names: list('compose.yaml compose.yml docker-compose.yml docker-compose.yaml'),
  beside: list(
    'compose.override.yaml compose.override.yml docker-compose.override.yml docker-compose.override.yaml',
  ),
  file: list('-f --file'),
  folder: ['--project-directory'],
  upwards: true,
};
const MAVEN: TaskRunner = { names: ['pom.xml'], file: list('-f --file') };
const GRADLE: TaskRunner = {
  names: list('build.gradle build.gradle.kts'),
  file: list('-b --build-file'),
  folder: list('-p --project-dir'),
};

const TASK_RUNNERS: ReadonlyMap<string, TaskRunner> = new Map<string, TaskRunner>([
  ['make', MAKE],
  ['gmake', MAKE],
  ['bmake', MAKE],
  ['remake', MAKE],
  [
    'just',
    {
      names: list('justfile .justfile Justfile'),
      file: list('-f --justfile'),
      folder: list('-d --working-directory'),
      upwards: true,
    },
  ],
  [
    'task',
    {
      names: list('Taskfile.yml taskfile.yml Taskfile.yaml taskfile.yaml Taskfile.dist.yml'),
      file: list('-t --taskfile'),
      folder: list('-d --dir'),
      upwards: true,
      // There are other programs of this name.
      optional: true,
    },
  ],
  [
    'rake',
    { names: list('Rakefile rakefile Rakefile.rb rakefile.rb'), file: list('-f --rakefile'), upwards: true },
  ],
  ['invoke', { names: ['tasks.py'], upwards: true }],
  ['inv', { names: ['tasks.py'], upwards: true }],
  ['fab', { names: ['fabfile.py'], file: list('-c --collection'), upwards: true }],
  ['nox', { names: ['noxfile.py'], file: list('-f --noxfile') }],
  ['tox', { names: list('tox.ini pyproject.toml setup.cfg'), file: ['-c'] }],
  [
    'pre-commit',
    { names: ['.pre-commit-config.yaml'], file: list('-c --config'), commands: ['run'], upwards: true },
  ],
  ['lefthook', { names: list('lefthook.yml lefthook.yaml .lefthook.yml'), commands: ['run'], upwards: true }],
  [
    'gulp',
    {
      names: list('gulpfile.js gulpfile.mjs gulpfile.cjs gulpfile.ts'),
      file: list('-f --gulpfile'),
      upwards: true,
    },
  ],
  ['grunt', { names: list('Gruntfile.js Gruntfile.cjs'), file: ['--gruntfile'], upwards: true }],
  [
    'composer',
    {
      names: ['composer.json'],
      folder: list('-d --working-dir'),
      commands: list('run run-script exec install update'),
    },
  ],
  ['docker', { ...COMPOSE, commands: ['compose run', 'compose up'] }],
  ['docker-compose', { ...COMPOSE, commands: ['run', 'up'] }],
  ['cargo', { names: ['src/main.rs'], commands: list('run r'), optional: true }],
  ['mvn', MAVEN],
  ['mvnw', { ...MAVEN, optional: true }],
  ['gradle', GRADLE],
  ['gradlew', { ...GRADLE, optional: true }],
]);

export function isTaskRunner(program: string): boolean {
  return program === 'go' || TASK_RUNNERS.has(program);
}

export function followTaskRunner(run: Run, executed: ExecutedFiles): void {
  const runner = TASK_RUNNERS.get(run.program);
  if (run.program === 'go') followGo(run, executed);
  else if (runner !== undefined) followTasks(runner, run, executed);
}

function followTasks(
  { names, beside = [], file = [], folder = [], commands, upwards, optional }: TaskRunner,
  run: Run,
  executed: ExecutedFiles,
): void {
  const operands = readOperands(run.args.map(apart), [...file, ...folder]);
  const onlyInforms = operands.options.some(({ name }) => name === '--version' || name === '--help');
  const words = `${operands.words.map(({ value }) => value).join(' ')} `;
  if (onlyInforms || commands?.some((command) => words.startsWith(`${command} `)) === false) return;
  const moved = valuesOf(operands, folder).at(-1);
  const folders = moved === undefined ? run.folders : executed.pathsOf(moved, run.folders);
  const named = valuesOf(operands, file);
  for (const word of named) executed.addFound(executed.pathsOf(word, folders));
  if (named.length > 0) return;
  if (folders === undefined)
    executed.fail(`Which file \`${run.program}\` reads is only known when the hook runs`);
  // `just dir/task` is about the file in that folder.
  const inside =
    run.program !== 'just'
      ? []
      : operands.words.flatMap(({ value = '' }) => /^(.+)\/[^/]*$/.exec(value)?.[1] ?? []);
  const places = (folders ?? []).flatMap((place) => [place, ...inside.map((path) => pathFrom(place, path))]);
  const found = places.flatMap((place) => {
    executed.folders.add(place);
    if (upwards) for (const each of foldersUp(place)) if (executed.isOurs(each)) executed.folders.add(each);
    const own = names.map((name) => join(place, name)).find(isFile);
    return own ?? (upwards ? findUp(place, ...names) : undefined) ?? [];
  });
  const missing = optional ? [] : (folders ?? []).slice(0, 1).map((place) => join(place, names.at(-1) ?? ''));
  executed.addFound(found.length > 0 ? found : missing);
  const more = found.flatMap((path) => beside.map((name) => join(dirname(path), name)));
  executed.addFound(more.filter(isFile));
}

/** `make -kC dir`: the option that takes a value comes last. */
function apart(word: ShellWord): ShellWord {
  const [, option] = /^-[biknpqrsBRSetwvmLd]+([fCI].*)$/.exec(word.value ?? '') ?? [];
  return option === undefined ? word : { ...word, value: `-${option}` };
}

/** `go run file.go`, or a folder with the sources of a program. */
function followGo(run: Run, executed: ExecutedFiles): void {
  const [option, folder] = run.args;
  const isMoved = option?.value === '-C' && folder !== undefined;
  const args = isMoved ? run.args.slice(2) : run.args;
  const folders = isMoved ? executed.pathsOf(folder, run.folders) : run.folders;
  if (args[0]?.value !== 'run') return;
  const { words } = readOperands(
    args.slice(1),
    list('-C -exec -ldflags -tags -gcflags -mod -modfile -overlay -p'),
  );
  for (const word of words) {
    if (word.value !== undefined && !/^\.|\.go$|\//.test(word.value)) return;
    const paths = executed.pathsOf(word, folders);
    const sources = paths.flatMap((path) =>
      kindOf(path) === 'directory'
        ? namesIn(path).flatMap((name) => (isSource(name) ? [join(path, name)] : []))
        : [path],
    );
    for (const path of sources.length > 0 ? sources : paths)
      executed.add(path, { needed: true, program: false });
    if (!paths.some((path) => basename(path).endsWith('.go'))) return;
  }
}

function isSource(name: string): boolean {
  return name.endsWith('.go') && !name.endsWith('_test.go');
}
