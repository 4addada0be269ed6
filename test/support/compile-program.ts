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

/** A program that is no file: its text, and the folder that its imports are relative to. */
export interface ProgramText {
  readonly text: string;
  readonly folder: string;
}

/** Returns the compiled program with the files that it imports. Packages stay imports. */
export async function compile(program: string | ProgramText): Promise<Uint8Array> {
  const { outputFiles } = await build({
    ...(typeof program === 'string'
      ? { entryPoints: [program] }
      : { stdin: { contents: program.text, resolveDir: program.folder, loader: 'ts' } }),
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'silent',
    plugins: [keepPlaces],
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** Returns the path of the compiled program. Its packages are found from `folder`, in which it is written. */
export async function compileProgram(source: string | URL, folder: string = ROOT): Promise<string> {
  const path = source instanceof URL ? fileURLToPath(source) : source;
  return writeCompiled(await compile(path), relative(ROOT, path).replaceAll(/[/\\]/g, '-'), folder);
}

/** Returns the path of a compiled program in `folder`, whose packages it finds. */
export function writeCompiled(program: Uint8Array, name: string, folder: string): string {
  const compiled = join(folder, '.compiled');
  mkdirSync(compiled, { recursive: true });
  const result = join(compiled, `${name}.mjs`);
  // Another process may compile or run the same program.
  const written = `${result}.${process.pid}`;
  writeFileSync(written, program);
  renameSync(written, result);
  return result;
}
