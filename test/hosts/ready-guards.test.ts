/** The ready guards, in every host's own words, through the bridge as a real process. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTS } from '../../src/dialects/hosts.js';
import { bridge, callOf, type Folder, host, makeFolder, readBy } from './support.js';

let folder: Folder;
beforeAll(async () => {
  folder = makeFolder({ 'README.md': 'x', '.env': 'TOKEN=x' });
  mkdirSync(join(folder.project, 'node_modules'));
  symlinkSync(
    fileURLToPath(new URL('../../', import.meta.url)),
    join(folder.project, 'node_modules', 'hookline'),
  );
  for (const args of [
    ['add', 'secrets', 'destructive-shell', 'git'],
    ['trust', 'approve', '--yes'],
  ]) {
    const done = await folder.hookline(args);
    expect(done.exit, done.stdout + done.stderr).toBe(0);
  }
});
afterAll(() => folder.remove());

const CALLS = [
  ['Bash', { command: 'rm -rf /' }, { command: 'ls' }],
  ['Bash', { command: 'git push --force origin main' }, { command: 'git status' }],
  ['Read', { file_path: '.env' }, { file_path: 'README.md' }],
  [
    'Edit',
    { file_path: '.env', old_string: 'x', new_string: 'y' },
    { file_path: 'README.md', old_string: 'x', new_string: 'y' },
  ],
] as const;

describe.each(HOSTS.map(({ name }) => name))('the ready guards in %s', (name) => {
  it('HS-5 refuse what is hostile and let what is harmless through', { timeout: 60_000 }, async () => {
    const own = host(name);
    const run = (tool: string, input: Readonly<Record<string, unknown>>) =>
      folder.hookline(bridge(own), callOf(own, tool, input));
    await Promise.all(
      CALLS.map(async ([tool, hostile, harmless]) => {
        const [refused, passed] = await Promise.all([run(tool, hostile), run(tool, harmless)]);
        const { refuse, ask } = readBy(own, refused);
        expect(refuse ?? ask, `${JSON.stringify(hostile)} ${refused.stdout}${refused.stderr}`).toBeDefined();
        expect(passed.stdout, JSON.stringify(harmless)).toBe('');
      }),
    );
  });
});
