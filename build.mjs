// Builds `dist`: a file for each entry and chunks for what they share, so that a process reads few files. The types are tsc's.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { rolldown } from 'rolldown';
import { buildCommand } from './build-command.mjs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const libraries = Object.values(manifest.exports).flatMap((entry) => entry.default ?? []);
/** As paths in `src` without their ending. */
const entries = libraries.map((path) => /^\.\/dist\/(.+)\.js$/.exec(path)[1]);

/**
 * Packages stay imports: users have one copy of each, and no file needs an optional one to be loaded. What requires
 * modules of Node is built in, because esbuild cannot make that an ECMAScript module.
 */
const external = importsOf({ ...manifest.dependencies, ...manifest.peerDependencies });

function importsOf(packages) {
  return new RegExp(`^(node:|(${Object.keys(packages).join('|')})(/|$))`);
}

/** What `hookline --version` shows; undefined outside of a repository. */
const { stdout: commit } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
const define = { BUILD_COMMIT: JSON.stringify(commit?.trim() || undefined) ?? 'undefined' };

const common = {
  platform: 'node',
  // What every supported Node reads.
  transform: { target: 'node20.19', define },
  resolve: {
    // The other form of some packages cannot be bundled.
    mainFields: ['module', 'main'],
    // The same code as ECMAScript modules.
    alias: { yaml: `${import.meta.dirname}/node_modules/yaml/browser/dist/index.js` },
  },
  treeshake: { moduleSideEffects: false },
};

/** The program of the spawn helper becomes text in the code, so that a bundle of an application has it too. */
const helperProgram = {
  name: 'helper-program',
  load: {
    filter: { id: /\/src\/process\/helper-program\.ts$/ },
    async handler() {
      const build = await rolldown({ ...common, input: 'src/process/helper-main.ts', external });
      const { output } = await build.generate({ format: 'cjs', minify: true, comments: false });
      const program = `/* The spawn helper of hookline */ ${output[0].code}`;
      return `export const helperArguments = () => ['--input-type=commonjs', '--eval', ${JSON.stringify(program)}];`;
    },
  },
};

/** What packages require of Node, the library imports: as an ECMAScript module it has no `require`. */
const importsOfNode = {
  name: 'imports-of-node',
  resolveId: (name, _, { kind }) => (kind === 'require-call' && isBuiltin(name) ? `\0${name}` : null),
  load: {
    filter: { id: /^\0/ },
    handler: (id) =>
      isBuiltin(id.slice(1)) ? `export * from 'node:${id.replace(/^\0(node:)?/, '')}';` : null,
  },
};

/** Chunks of packages alone need no source maps. One of them would load a module of Node only for the runtime's sake. */
const packagesAlone = {
  name: 'packages-alone',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (!chunk.moduleIds?.every((id) => /node_modules|^\0/.test(id))) continue;
      delete bundle[`${chunk.fileName}.map`];
      chunk.code = chunk.code.replaceAll(/^(import "node:module";|\/\/# sourceMappingURL=.*)\n?/gm, '');
    }
  },
};

/** This one reads the files of the page from the folder beside it. */
const PAGE = 'live/page';
const pageChunk = { name: PAGE, test: new RegExp(`/src/${PAGE}\\.ts$`), priority: 99 };

/** Named after the package, not after its main file. */
const yamlChunk = { name: 'yaml-parser', test: /\/node_modules\/yaml\//, priority: 99 };

/** The modules that are loaded with one; worked out when it is first asked for. */
const loadedWith = new WeakMap();
function isLoadedWith(module, id, graph) {
  const known = loadedWith.get(graph) ?? new Map();
  loadedWith.set(graph, known);
  if (!known.has(module)) {
    const loaded = new Set([`${import.meta.dirname}/src/${module}.ts`]);
    for (const each of loaded)
      for (const next of graph.getModuleInfo(each)?.importedIds ?? []) loaded.add(next);
    known.set(module, loaded);
  }
  return known.get(module).has(id);
}

/** What the root shares with other entries, from the ground up; what needs minimatch has a chunk of its own. */
const SHARED = ['base', 'matching', 'process', 'events', 'handlers', 'config', 'dialects', 'runner'];

/**
 * What the root loads is in a few chunks: one for each folder of what other entries need too, and one for the rest. So
 * those load, and bundles of applications hold, little that they do not need.
 */
function chunkOfRoot(id, graph) {
  const by = entries.filter((entry) => isLoadedWith(entry, id, graph));
  if (!by.includes('index')) return undefined;
  if (by.length === 1) return 'core';
  // Guards answer, and need no schema of an event for that.
  if (/\/src\/events\/answers\.ts$/.test(id)) return 'base';
  if (graph.getModuleInfo(id).importedIds.includes('minimatch')) return 'matching';
  return /\/src\/(\w+)\//.exec(id)[1];
}

/** The first ones come first: a chunk also takes what its modules import and no chunk before it has taken. */
const rootChunks = [...SHARED, 'core'].map((chunk, index, { length }) => ({
  name: (id, graph) => (chunkOfRoot(id, graph) === chunk ? chunk : null),
  debugName: chunk,
  priority: length - index,
}));

async function bundle() {
  const build = await rolldown({
    ...common,
    input: Object.fromEntries(entries.map((path) => [path, `src/${path}.ts`])),
    external,
    plugins: [helperProgram, importsOfNode, packagesAlone],
  });
  return build.write({
    dir: 'dist',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => (name === PAGE ? '[name].js' : 'shared/[name].js'),
    codeSplitting: { groups: [pageChunk, yamlChunk, ...rootChunks] },
    // Bundlers read these; people find the others in the source maps.
    comments: { legal: true, annotation: true, jsdoc: false },
  });
}

/** Which modules of the command are in which file: those that calls read together. The first that fits counts. */
const COMMAND_FILES = [
  ['start', /^(base|cli\/[\w-]+\.ts)/],
  ['hosts', /^(hosts|cli\/hosts|dialects\/(host|codex|copilot|cursor|factory|gemini|qwen)\/(?!source))/],
  ['hooks', /^(events|handlers|config|permissions|dialects|cli\/(hooks|check)|process\/environment)/],
  ['runner', /^(runner|process|testing)/],
  // A file for each command, and for each other folder.
  ['', /^cli\/commands\/([\w-]+)/],
  ['', /^(cli\/\w+|\w+)/],
];

/** A package and all that it depends on. */
function withDependencies(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const { dependencies } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  for (const each of Object.keys(dependencies ?? {})) withDependencies(each, found);
  return found;
}

const OF_EXECA = withDependencies('execa');

function fileOfCommand(id) {
  const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? [];
  if (name !== undefined) return `${OF_EXECA.has(name) ? 'execa' : name.replace(/^@[^/]+\//, '')}.js`;
  const [, path] = /\/src\/(.+)$/.exec(id) ?? [];
  if (path === undefined) return 'start.js';
  // It reads the files of the page from the folder beside it.
  if (path === `${PAGE}.ts`) return `../${PAGE}-of-command.cjs`;
  const [file, modules] = COMMAND_FILES.find(([, modules]) => modules.test(path));
  return `${file || modules.exec(path)[1].replace('/', '-')}.js`;
}

/** Modules that it loads for users import the library, as they do elsewhere. */
function bundleCommand() {
  const path = manifest.bin.hookline;
  return buildCommand({
    ...common,
    input: path.replace('dist/', 'src/').replace(/js$/, 'ts'),
    dir: dirname(path),
    fileOf: fileOfCommand,
    external: importsOf(manifest.peerDependencies),
    plugins: [helperProgram],
  });
}

/** Whether the code has the types that it says it has; tsc prints what is wrong. With `--no-check`, only whether they can be written. */
async function writeTypes() {
  const args = ['-p', 'tsconfig.build.json', ...(process.argv.includes('--no-check') ? ['--noCheck'] : [])];
  const tsc = spawn(process.execPath, ['node_modules/typescript/bin/tsc', ...args], { stdio: 'inherit' });
  const [code] = await once(tsc, 'exit');
  return code === 0;
}

/** Declarations that no entry leads to would only make the package larger. */
function dropUnreachableTypes() {
  const reached = new Set(
    Object.values(manifest.exports).flatMap(({ types }) => (types ? [normalize(types)] : [])),
  );
  for (const file of reached)
    for (const [, target] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.js['"]/g))
      reached.add(join(dirname(file), `${target}.d.ts`));
  for (const path of readdirSync('dist', { recursive: true }).map((each) => join('dist', each)))
    if (path.endsWith('.d.ts') && !reached.has(path)) rmSync(path);
}

/** The licences of the packages that are in the code. */
function writeLicences(built) {
  const modules = built.flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds));
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence that could be given along.`);
    return `## ${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`;
  });
  const about = 'The files of this folder contain code of these packages.';
  writeFileSync('dist/third-party-licences.md', `# Licences\n\n${about}\n\n${texts.join('\n')}`);
}

process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
const [library, command, typed] = await Promise.all([bundle(), bundleCommand(), writeTypes()]);
if (!typed) process.exit(1);
writeLicences([library, command]);
dropUnreachableTypes();
cpSync('src/live/page', 'dist/live/page', { recursive: true });
