/** The bundlers that people use for Node, each as a function that bundles a program and returns its warnings. */
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import type { BuildOptions, BuildResult } from 'esbuild';
import type { InputOptions, OutputOptions } from 'rolldown';

export type Format = 'esm' | 'cjs';

export interface Bundled {
  readonly warnings: readonly string[];
  /** Paths of what is in the bundle. */
  readonly modules: readonly string[];
}

type Bundle = (input: string, outfile: string, format: Format) => Promise<Bundled>;

export interface Bundler {
  readonly name: string;
  /** What to install. */
  readonly packages: readonly string[];
  /** With the packages of a folder. */
  readonly from: (folder: string) => Bundle;
}

const loaderOf = (folder: string): NodeJS.Require => createRequire(join(folder, 'package.json'));

interface Esbuild {
  build(options: BuildOptions): Promise<BuildResult<{ metafile: true }>>;
}

const esbuild: Bundler = {
  name: 'esbuild',
  packages: ['esbuild'],
  from: (folder) => async (input, outfile, format) => {
    const { build } = loaderOf(folder)('esbuild') as Esbuild;
    const { warnings, metafile } = await build({
      entryPoints: [input],
      outfile,
      bundle: true,
      platform: 'node',
      format,
      target: 'node20',
      logLevel: 'silent',
      metafile: true,
    });
    return { warnings: warnings.map(({ text }) => text), modules: Object.keys(metafile.inputs) };
  },
};

/** rollup has the same interface as rolldown. */
interface Rollup {
  rollup(
    options: InputOptions & { readonly onwarn: (warning: { readonly message: string }) => void },
  ): Promise<RollupBuild>;
}
interface RollupBuild {
  readonly watchFiles: string[] | Promise<string[]>;
  write(options: OutputOptions): Promise<unknown>;
}

const rolldown: Bundler = {
  name: 'rolldown',
  packages: ['rolldown'],
  from: (folder) => (input, outfile, format) => {
    const { rolldown: rollup } = loaderOf(folder)('rolldown') as { readonly rolldown: Rollup['rollup'] };
    return bundleWith(rollup, { input, platform: 'node' }, outfile, format);
  },
};

const ROLLUP_PLUGINS = ['node-resolve', 'commonjs', 'json'].map((name) => `@rollup/plugin-${name}`);

const rollup: Bundler = {
  name: 'rollup',
  packages: ['rollup', ...ROLLUP_PLUGINS],
  from: (folder) => (input, outfile, format) => {
    const load = loaderOf(folder);
    const [resolve, ...others] = ROLLUP_PLUGINS.map((name) => (load(name) as PluginModule).default);
    const plugins = [
      resolve?.({ preferBuiltins: true, exportConditions: ['node'] }),
      ...others.map((make) => make()),
    ];
    return bundleWith((load('rollup') as Rollup).rollup, { input, plugins } as InputOptions, outfile, format);
  },
};

interface PluginModule {
  readonly default: (options?: object) => object;
}

async function bundleWith(
  rollup: Rollup['rollup'],
  input: InputOptions,
  outfile: string,
  format: Format,
): Promise<Bundled> {
  const warnings: string[] = [];
  const build = await rollup({ ...input, onwarn: ({ message }) => warnings.push(message) });
  await build.write({
    dir: dirname(outfile),
    entryFileNames: basename(outfile),
    chunkFileNames: `[name]${extname(outfile)}`,
    format,
  });
  return { warnings, modules: await build.watchFiles };
}

interface WebpackStats {
  toJson(options: object): {
    readonly errors: readonly { readonly message: string }[];
    readonly warnings: readonly { readonly message: string; readonly moduleName?: string }[];
    readonly modules: readonly { readonly nameForCondition?: string | null }[];
  };
}
type Webpack = (options: object, done: (error: Error | null, stats: WebpackStats) => void) => void;

const webpack: Bundler = {
  name: 'webpack',
  packages: ['webpack'],
  from: (folder) => async (input, outfile, format) => {
    const run = loaderOf(folder)('webpack') as Webpack;
    const isModule = format === 'esm';
    const stats = await new Promise<WebpackStats>((resolve, reject) => {
      const options = {
        mode: 'production',
        context: folder,
        entry: input,
        target: 'node20',
        experiments: { outputModule: isModule },
        output: {
          path: dirname(outfile),
          filename: basename(outfile),
          asyncChunks: false,
          library: { type: isModule ? 'module' : 'commonjs2' },
        },
      };
      run(options, (error, result) => (error === null ? resolve(result) : reject(error)));
    });
    const { errors, warnings, modules } = stats.toJson({
      all: false,
      errors: true,
      warnings: true,
      modules: true,
      nestedModules: true,
    });
    if (errors[0] !== undefined) throw new Error(errors[0].message);
    return {
      warnings: warnings.map(({ message, moduleName }) => `${moduleName}: ${message}`),
      modules: modules.map(({ nameForCondition }) => nameForCondition ?? ''),
    };
  },
};

/** These are installed here anyway. */
export const AT_HAND: readonly Bundler[] = [esbuild, rolldown];
export const ALL_BUNDLERS: readonly Bundler[] = [...AT_HAND, rollup, webpack];
