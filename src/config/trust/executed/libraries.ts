/** Libraries that an interpreter loads by name: Node packages, Perl and Ruby modules. */
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { resolveFrom } from '../../../base/run-time-modules.js';
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { readOperands, valuesOf } from './operands.js';
import { readManifest, resolveMain } from './packages.js';
import { isFile, kindOf, matchesOf, pathFrom, upwards } from './places.js';

/** Adds the file that `require('name')` loads from a folder, if the package is installed in ours. */
export function addPackage(
  name: string,
  run: Pick<Run, 'folders' | 'setting'>,
  executed: ExecutedFiles,
): void {
  const [folder] = run.folders ?? [];
  const [, own] = /^(@[^/]+\/[^/]+|[^@./][^/]*)/.exec(name) ?? [];
  if (folder === undefined || own === undefined || isBuiltin(name)) return;
  for (const place of nodePlaces(folder, run)) {
    const path = join(place, own);
    if (!executed.isOurs(path)) continue;
    executed.folders.add(place);
    const manifest = readManifest(join(path, 'package.json'));
    if (manifest !== undefined) executed.addPart(join(path, 'package.json'), 'exports', manifest['exports']);
    const file = entryOf(name, folder, path, executed);
    if (file === undefined) continue;
    executed.add(file, { needed: false, program: false });
    return;
  }
}

function nodePlaces(folder: string, { setting }: Pick<Run, 'setting'>): readonly string[] {
  const more = (setting.variables['NODE_PATH'] ?? '').split(':').filter((path) => path !== '');
  return [
    ...upwards(folder).map((each) => join(each, 'node_modules')),
    ...more.map((path) => pathFrom(folder, path)),
  ];
}

/** Node's resolver reads manifests and runs nothing; it does not find packages that only `import` can load. */
function entryOf(name: string, folder: string, path: string, executed: ExecutedFiles): string | undefined {
  try {
    return resolveFrom(join(folder, 'index.js'), name);
  } catch {
    const main = resolveMain(path, ['.js', '.json', '.node'], executed);
    return [`${path}.js`, main].find(isFile);
  }
}

interface Library {
  /** The option and the variable that name folders. */
  readonly folders: string;
  readonly variable: string;
  /** Options that name a module. */
  readonly modules: readonly string[];
  readonly pathOf: (name: string) => string;
  /** It looks in the current folder too. */
  readonly searchesHere?: boolean;
}

const LUA: Library = {
  folders: '',
  variable: 'LUA_PATH',
  modules: ['-l'],
  pathOf: (name) => `${name.replace(/^\w+=/, '').replaceAll('.', '/')}.lua`,
  searchesHere: true,
};

const LIBRARIES: ReadonlyMap<string, Library> = new Map([
  [
    'perl',
    {
      folders: '-I',
      variable: 'PERL5LIB',
      modules: ['-M', '-m'],
      pathOf: (name) => `${name.replace(/^-|[=\s].*$/gs, '').replaceAll('::', '/')}.pm`,
    },
  ],
  [
    'ruby',
    {
      folders: '-I',
      variable: 'RUBYLIB',
      modules: ['-r'],
      pathOf: (name) => name.replace(/(?:\.rb)?$/, '.rb'),
    },
  ],
  ['lua', LUA],
  ['luajit', LUA],
  [
    'raku',
    {
      folders: '-I',
      variable: 'RAKULIB',
      modules: ['-M'],
      pathOf: (name) => `${name.replaceAll('::', '/')}.rakumod`,
    },
  ],
]);

/** Whether its options name modules, not files. */
export function hasLibraries(program: string): boolean {
  return LIBRARIES.has(program);
}

/** `perl -Ilib -MGuard`: adds the files of these modules, found in the folders that the line names. */
export function addLibraries(
  { program, args, folders, setting }: Pick<Run, 'program' | 'args' | 'folders' | 'setting'>,
  executed: ExecutedFiles,
): void {
  const library = LIBRARIES.get(program);
  if (library === undefined) return;
  const operands = readOperands(args, [library.folders, ...library.modules, '-e', '-E'], true);
  const debuggers = args.flatMap((word) => {
    const [, name] = /^-dt?:(\w.*)$/s.exec(word.value ?? '') ?? [];
    return name === undefined || program !== 'perl' ? [] : [{ ...word, value: `Devel::${name}` }];
  });
  const named = [...valuesOf(operands, library.modules), ...debuggers];
  const given = valuesOf(operands, [library.folders]).flatMap((word) => executed.pathsOf(word, folders));
  const [here] = folders ?? [];
  const more = (setting.variables[library.variable] ?? '').split(':').filter((path) => path !== '');
  const places = [...given, ...more.flatMap((path) => (here === undefined ? [] : [pathFrom(here, path)]))];
  // `-Mlib=folder` is another way to write `-I folder`.
  const own = named.flatMap(({ value = '' }) => /^lib=(.+)$/s.exec(value)?.[1]?.split(',') ?? []);
  if (here !== undefined) places.push(...own.map((path) => pathFrom(here, path)));
  // A file there is loaded in the place of a library of the same name.
  for (const place of places.filter((each) => executed.isOurs(each))) {
    executed.folders.add(place);
    for (const file of matchesOf(place, `*${library.pathOf('')}`) ?? [])
      executed.add(file, { needed: false, program: false });
  }
  for (const { value } of named) {
    if (value === undefined) continue;
    const isHere = here !== undefined && (library.searchesHere === true || /^\.{1,2}\//.test(value));
    const found = [...(isHere ? [here] : []), ...places]
      .map((place) => join(place, library.pathOf(value)))
      .find(isFile);
    for (const place of places) executed.folders.add(place);
    if (found !== undefined) executed.add(found, { needed: true, program: false });
  }
}

/** `java -cp classes Main`: of a folder with compiled classes, nothing is covered. */
export function followClassPath(
  paths: string,
  folders: readonly string[] | undefined,
  executed: ExecutedFiles,
): void {
  for (const path of paths.split(':'))
    for (const folder of folders ?? []) {
      const place = pathFrom(folder, path.replace(/\/?\*$/, ''));
      const isFolder = path !== '' && (path.endsWith('*') || kindOf(place) === 'directory');
      if (isFolder && executed.isOurs(place))
        executed.fail(
          `Which classes of \`${path}\` run is only known when the hook runs; name a jar instead`,
        );
    }
}

/** `jq -L folder`: the modules in it. */
export function addModulesOfJq(
  { args, folders }: Pick<Run, 'args' | 'folders'>,
  executed: ExecutedFiles,
): void {
  for (const word of valuesOf(readOperands(args, ['-L', '--library-path']), ['-L', '--library-path']))
    for (const place of executed.pathsOf(word, folders).filter((each) => executed.isOurs(each))) {
      executed.folders.add(place);
      for (const file of matchesOf(place, '*.jq') ?? [])
        executed.add(file, { needed: false, program: false });
    }
}
