/** A program with the runner, commands and settings, bundled and run where nothing is installed. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { makeFolder, OPTIONAL, packageOf, ROOT } from './support.js';

/** Says what answered, and what started the command: with `helper`, the spawn helper. */
const PROGRAM = `
import { command, loadClaudeSettings, Runner } from '${manifest.name}';

async function main() {
  for (const spawn of ['direct', 'helper']) {
    const runner = new Runner({ spawn, onWarning: ({ message }) => console.log('warning:', message) });
    runner.on('Stop', () => ({ systemMessage: 'called' }));
    runner.on('Stop', command('ps -o args= -p $PPID >&2; exit 2'));
    runner.use(await loadClaudeSettings({ configDir: '/nowhere', managedFile: '/nowhere/managed.json', trust: 'workspace' }));
    const { systemMessages, reason, failures } = await runner.fire('Stop', { stop_hook_active: false });
    const by = reason.includes('spawn helper of hookline') ? 'helper' : 'direct';
    console.log(systemMessages.join(' and '), 'by', by, failures.length);
    await runner.dispose();
  }
}
main();
`;
const SAID = 'called and from settings by direct 0\ncalled and from settings by helper 0';

const folder = makeFolder('bundlers');
// In this repository, so that the package finds itself by its name.
const input = join(ROOT, 'node_modules/.cache', `bundled-${process.pid}.mjs`);

beforeAll(() => {
  mkdirSync(join(folder, 'run/.claude'), { recursive: true });
  const hook = { type: 'command', command: `echo '{"systemMessage":"from settings"}'` };
  const settings = { hooks: { Stop: [{ hooks: [hook] }] } };
  writeFileSync(join(folder, 'run/.claude/settings.json'), JSON.stringify(settings));
  mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
  writeFileSync(input, PROGRAM);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(input, { force: true });
});

async function run(file: string): Promise<string> {
  const { stdout, stderr } = await execa(process.execPath, [join(folder, file)], {
    cwd: join(folder, 'run'),
  });
  expect(stderr).toBe('');
  return stdout;
}

const FORMATS = [
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
] as const;

describe('bundled for Node', () => {
  it.each(FORMATS)('PK-21: by esbuild as %s', { timeout: 60_000 }, async (format, ending) => {
    const outfile = join(folder, `esbuild.${ending}`);
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
    expect(warnings).toEqual([]);
    const packages = Object.keys(metafile.inputs).map((path) =>
      packageOf(path.split('node_modules/').at(-1) ?? ''),
    );
    expect(packages.filter((name) => OPTIONAL.includes(name))).toEqual([]);
    expect(await run(`esbuild.${ending}`)).toBe(SAID);
  });
});
