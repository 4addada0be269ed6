// Builds `dist`: a file for each entry and chunks for what they share, so that a process reads few files. The types are tsc's.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const libraries = Object.values(manifest.exports).flatMap((entry) => entry.default ?? []);
/** As paths in `src` without their ending. */
const entries = [...libraries, `./${manifest.bin.hookline}`].map(
  (path) => /^\.\/dist\/(.+)\.js$/.exec(path)[1],
);

/** Packages stay imports: users have one copy of each, and no file needs an optional one to be loaded. */
const packages = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const external = new RegExp(`^(node:|(${packages.join('|')})(/|$))`);

/** What every supported Node reads. */
const transform = { target: 'node20.19' };

/** What `hookline --version` shows; undefined outside of a repository. */
const { stdout: commit } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
const define = { BUILD_COMMIT: JSON.stringify(commit?.trim() || undefined) ?? 'undefined' };

/** The program of the spawn helper becomes text in the code, so that a bundle of an application has it too. */
const helperProgram = {
  name: 'helper-program',
  load: {
    filter: { id: /\/src\/process\/helper-program\.ts$/ },
    async handler() {
      const build = await rolldown({
        input: 'src/process/helper-main.ts',
        platform: 'node',
        external,
        transform,
      });
      const { output } = await build.generate({ format: 'cjs', minify: true, comments: false });
      const program = `/* The spawn helper of hookline */ ${output[0].code}`;
      return `export const helperArguments = () => ['--input-type=commonjs', '--eval', ${JSON.stringify(program)}];`;
    },
  },
};

/** This one reads the files of the page from the folder beside it. */
const PAGE = 'live/page';

async function bundle() {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((path) => [path, `src/${path}.ts`])),
    platform: 'node',
    external,
    transform: { ...transform, define },
    plugins: [helperProgram],
    treeshake: { moduleSideEffects: false },
  });
  await build.write({
    dir: 'dist',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => (name === PAGE ? '[name].js' : 'shared/[name].js'),
    codeSplitting: { groups: [{ name: PAGE, test: new RegExp(`/src/${PAGE}\\.ts$`) }] },
    // Bundlers read these; people find the others in the source maps.
    comments: { legal: true, annotation: true, jsdoc: false },
  });
}

async function writeTypes() {
  const tsc = spawn(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
  const [code] = await once(tsc, 'exit');
  if (code !== 0) process.exitCode = 1;
}

process.chdir(import.meta.dirname);
rmSync('dist', { recursive: true, force: true });
await Promise.all([bundle(), writeTypes()]);
cpSync('src/live/page', 'dist/live/page', { recursive: true });
