/** Faults that copies of workspaces are known to have elsewhere, and that the other tests here leave open. */
import { execFile } from 'node:child_process';
import fs, { existsSync, readdirSync, renameSync, symlinkSync, utimesSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyWorkspace, openWorkspaces } from '../../../src/integrations/workspaces/index.js';
import { until } from '../../support/process-harness.js';
import { asWords, freshFolder, readTree, writeTree } from './support.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Something of the workspace is exchanged in the moment in which this name is opened, once. */
function whenOpened(name: string, act: () => void): void {
  const { open } = fs.promises;
  let isDone = false;
  fs.promises.open = async (...args) => {
    if (!isDone && basename(String(args[0])) === name) {
      isDone = true;
      act();
    }
    return open(...args);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.promises.open = open;
    syncBuiltinESMExports();
    expect(isDone, `${name} was opened`).toBe(true);
  });
}

/** A workspace with a folder, and a folder outside with the same names in it. */
function places() {
  const root = freshFolder();
  writeTree(root, { 'outside/name.txt': 'from outside' });
  const from = writeTree(join(root, 'work'), { 'folder/name.txt': 'from inside', 'z.txt': 'z' });
  const swap = (path: string, target: string) => () => {
    renameSync(join(from, path), join(root, 'away'));
    symlinkSync(join(root, target), join(from, path));
  };
  return { from, to: join(root, 'copy'), swap };
}

describe('a link that is put in the way in the last moment', () => {
  it('WS-2: in the place of a folder is not followed', async () => {
    const { from, to, swap } = places();
    whenOpened('folder', swap('folder', 'outside'));
    const { leftOut } = await copyWorkspace(from, to);
    expect(asWords(leftOut)).toEqual(['folder unreadable']);
    expect(readTree(to)).toEqual({ 'z.txt': 'z' });
  });

  it('WS-2: in the place of a file is not followed', async () => {
    const { from, to, swap } = places();
    whenOpened('name.txt', swap('folder/name.txt', 'outside/name.txt'));
    const { leftOut } = await copyWorkspace(from, to);
    expect(asWords(leftOut)).toEqual(['folder/name.txt unreadable']);
    expect(readTree(to)).toEqual({ folder: null, 'z.txt': 'z' });
  });

  it.skipIf(process.platform !== 'linux')(
    'WS-2: in the place of a folder that is being read leads nowhere else',
    async () => {
      const { from, to, swap } = places();
      whenOpened('name.txt', swap('folder', 'outside'));
      await copyWorkspace(from, to);
      expect(readTree(to)).toEqual({ folder: null, 'folder/name.txt': 'from inside', 'z.txt': 'z' });
    },
  );
});

describe('a process that is killed', () => {
  const PROGRAM = `
    import { openWorkspaces } from './src/integrations/workspaces/index.ts';
    const [directory, folder] = process.argv.slice(1);
    const workspaces = await openWorkspaces({ directory, agents: { ada: folder } });
    await workspaces.snapshot('ada');
    await workspaces.share('ada', 'bob');
  `;

  it.each([
    ['a snapshot', 'snapshots'],
    ['a copy for a peer', 'peers'],
  ])(
    'WS-1: in the middle of %s: what it leaves behind is swept away later',
    { timeout: 60_000 },
    async (_, part) => {
      const root = freshFolder();
      const directory = join(root, 'shared');
      const folder = join(root, 'work');
      await openWorkspaces({ directory });
      for (let i = 0; i < 2000; i += 1) writeTree(folder, { [`${i}.txt`]: 'x'.repeat(2000) });
      const drafts = (): string[] =>
        readdirSync(join(directory, part), { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('.partial'))
          .map((path) => join(directory, part, path));
      const args = ['--import', 'tsx', '--input-type=module', '-e', PROGRAM, directory, folder];
      const child = execFile(process.execPath, args, { cwd: ROOT });
      const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
      await until(() => drafts().length > 0, 'the draft', 30_000);
      child.kill('SIGKILL');
      expect(await ended).toBe('SIGKILL');
      const left = drafts();
      expect(left).toHaveLength(1);
      await openWorkspaces({ directory });
      expect(drafts(), 'a young one may be in use').toEqual(left);
      const long = new Date(Date.now() - 2 * 3_600_000);
      for (const draft of left) utimesSync(draft, long, long);
      await openWorkspaces({ directory });
      expect(drafts()).toEqual([]);
    },
  );
});

describe('what looks like a draft', () => {
  it('WS-1: is swept away where copies are made, not within them, and not under any other name', async () => {
    const root = freshFolder();
    const directory = join(root, 'shared');
    const draft = '.x.00000000-0000-0000-0000-000000000000.partial';
    const folder = writeTree(join(root, 'ada'), { [`${draft}/own.txt`]: 'mine', 'z.txt': 'z' });
    const workspaces = await openWorkspaces({ directory, agents: { ada: folder } });
    await workspaces.snapshot('ada');
    const { path } = await workspaces.share('ada', 'bob');
    const copy = readTree(path);
    expect(copy).toMatchObject({ [`${draft}/own.txt`]: 'mine' });
    // As when `clear` was killed.
    const left = ['', 'peers', 'snapshots'].map((place) => join(directory, place, draft));
    const kept = ['.partial', '.notes.partial', 'draft.partial'].map((name) => join(directory, name));
    for (const each of [...left, ...kept]) writeTree(each, { 'y.txt': 'y' });
    const long = new Date(Date.now() - 2 * 3_600_000);
    for (const each of [...left, ...kept, join(path, draft)]) utimesSync(each, long, long);
    await openWorkspaces({ directory });
    expect(left.filter((each) => existsSync(each))).toEqual([]);
    expect(kept.filter((each) => existsSync(each))).toEqual(kept);
    expect(readTree(path)).toEqual(copy);
  });
});

describe('secrets', () => {
  it('WS-4: reach no peer, and who looks can see that they were left out', async () => {
    const root = freshFolder();
    const ada = writeTree(join(root, 'ada'), {
      'out.txt': 'the answer',
      '.env': 'TOKEN=1',
      'deep/id_ed25519': 'x',
      'deep/notes': '-----BEGIN RSA PRIVATE KEY-----\n',
      link: { link: '.env' },
    });
    const workspaces = await openWorkspaces({ directory: join(root, 'shared'), agents: { ada } });
    const { leftOut } = await workspaces.snapshot('ada');
    expect(asWords(leftOut)).toEqual([
      '.env secret',
      'deep/id_ed25519 secret',
      'deep/notes secret',
      'link link',
    ]);
    const { path } = await workspaces.share('ada', 'bob');
    expect(readTree(path)).toEqual({ deep: null, 'out.txt': 'the answer' });
  });
});
