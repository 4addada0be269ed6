/** What the package adds to a program that is bundled, and that the bundle works. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ENTRIES, makeFolder, OPTIONAL, ROOT, specifierOf } from './support.js';
import { exceeds, inKilobytes, readTable } from './tables.js';

const folder = makeFolder('bundle');
afterAll(() => rmSync(folder, { recursive: true }));

/** Minified, for Node, without the packages that are named. */
async function bundle(code: string, external: readonly string[]): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: ROOT },
    outfile: join(folder, 'bundle.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: [...OPTIONAL, ...external],
    logLevel: 'error',
    write: code.startsWith('import'),
  });
  return outputFiles?.[0]?.contents ?? new Uint8Array();
}

const compressed = (code: Uint8Array): number => inKilobytes(gzipSync(code, { level: 9 }).length);

/** By what is imported, as it stands in the table. */
const IMPORTS: ReadonlyMap<string, string> = new Map([
  ['{ Runner } from hookline', `export { Runner } from '${manifest.name}'`],
  ...ENTRIES.filter((entry) => entry !== './package.json').map(
    (entry) => [specifierOf(entry), `export * from '${specifierOf(entry)}'`] as const,
  ),
]);

const recorded = new Map(
  readTable('Bundles').map(([what = '', own, all]) => [what, { own: Number(own), all: Number(all) }]),
);

describe('bundled, minified and compressed', () => {
  it('PK-16: there is a row for every entry', () => {
    expect(
      [...recorded.keys()],
      'Give every entry a row in the table "Bundles" of spec/packaging.md.',
    ).toEqual([...IMPORTS.keys()]);
  });

  it.each([...IMPORTS])('PK-16: %s is not larger than is recorded', async (what, code) => {
    const own = compressed(await bundle(code, Object.keys(manifest.dependencies)));
    const all = compressed(await bundle(code, []));
    const { own: ownThen = 0, all: allThen = 0 } = recorded.get(what) ?? {};
    const grown = [
      exceeds(`${what}, its own code,`, own, ownThen, 'kB'),
      exceeds(`${what}, with dependencies,`, all, allThen, 'kB'),
    ];
    expect(grown.filter((each) => each !== undefined)).toEqual([]);
  });

  it('PK-14: a runner in a bundle runs callbacks and commands, also through its helper', async () => {
    await bundle(
      `import { command, Runner } from '${manifest.name}';
       for (const spawn of ['direct', 'helper']) {
         const runner = new Runner({ spawn });
         runner.on('Stop', () => ({ systemMessage: 'called' }));
         runner.on('Stop', command('echo not yet >&2; exit 2'));
         const { systemMessages, reason } = await runner.fire('Stop', { stop_hook_active: false });
         console.log(...systemMessages, reason);
         await runner.dispose();
       }`,
      [],
    );
    const { stdout } = await execa(process.execPath, [join(folder, 'bundle.mjs')]);
    expect(stdout).toBe('called not yet\ncalled not yet');
  });
});
