/** Compiles programs that tests start as processes: Node alone starts one in a third of the time that it takes with tsx. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Modules find the files beside them from where they were written. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
    }));
  },
};

/**
 * Returns the path of the compiled program. Packages stay imports; they are found from `folder`, in which the result is
 * written.
 */
export async function compileProgram(source: string | URL, folder: string = ROOT): Promise<string> {
  const path = source instanceof URL ? fileURLToPath(source) : source;
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    plugins: [keepPlaces],
  });
  const compiled = join(folder, '.compiled');
  mkdirSync(compiled, { recursive: true });
  const result = join(compiled, `${relative(ROOT, path).replaceAll(/[/\\]/g, '-')}.mjs`);
  // Another process may compile or run the same program.
  const written = `${result}.${process.pid}`;
  writeFileSync(written, outputFiles[0]?.contents ?? '');
  renameSync(written, result);
  return result;
}
