/** Copies of a workspace: what is in them, what is left out, and that nobody ever sees half of one. */
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyWorkspace, openWorkspaces } from '../../../src/integrations/workspaces/index.js';
import { compileProgram } from '../../support/compile-program.js';
import { until } from '../../support/process-harness.js';
import { asWords, freshFolder, makePipe, makeProgram, modeOf, readTree, writeTree } from './support.js';

/** Two folders: one to copy from, and where the copy shall be. */
function places() {
  const root = freshFolder();
  const from = writeTree(join(root, 'work'), { 'a.txt': 'a' });
  return { root, from, to: join(root, 'copy') };
}

const program = (name: string): string => fileURLToPath(new URL(`./programs/${name}`, import.meta.url));

describe('a copy', () => {
  it('WS-1: holds the same files and folders, for its owner alone', async () => {
    const { from, to } = places();
    writeTree(from, { 'src/deep/b.txt': 'b', 'empty/': null, 'bytes.bin': Buffer.from([0, 255, 10, 128]) });
    makeProgram(join(from, 'run.sh'), '#!/bin/sh\n');
    const report = await copyWorkspace(from, to);
    expect(readTree(to)).toEqual(readTree(from));
    expect(report).toMatchObject({ files: 4, leftOut: [], leftOutCount: 0 });
    expect(report.bytes).toBe(1 + 1 + 4 + 10);
    expect(['', 'src', 'src/deep', 'run.sh', 'a.txt'].map((path) => modeOf(join(to, path)))).toEqual([
      ...['700', '700', '700', '700', '600'],
    ]);
  });

  it('WS-1: is never seen before it is whole', async () => {
    const { from, to } = places();
    for (let i = 0; i < 300; i += 1) writeTree(from, { [`part-${i % 7}/${i}.txt`]: `file ${i}` });
    const whole = Object.keys(readTree(from)).length;
    let done = false;
    const copying = copyWorkspace(from, to).finally(() => {
      done = true;
    });
    const seen = new Set<number>();
    while (!done) {
      seen.add(existsSync(to) ? readdirSync(to, { recursive: true }).length : 0);
      await new Promise(setImmediate);
    }
    await copying;
    expect([...seen].filter((count) => count !== 0 && count !== whole)).toEqual([]);
    expect(readdirSync(to, { recursive: true })).toHaveLength(whole);
  });

  it('WS-1: that fails or is given up leaves nothing behind', async () => {
    const { root, from, to } = places();
    writeTree(from, { 'b.txt': 'b' });
    const before = readdirSync(root);
    await expect(copyWorkspace(from, to, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
    const giveUp = new AbortController();
    let looks = 0;
    giveUp.signal.throwIfAborted = () => {
      // By then the first file is in the draft.
      if (++looks === 4) giveUp.abort(new Error('given up'));
      AbortSignal.prototype.throwIfAborted.call(giveUp.signal);
    };
    await expect(copyWorkspace(from, to, { signal: giveUp.signal })).rejects.toThrow('given up');
    expect(readdirSync(root)).toEqual(before);
  });

  it('WS-1: needs a name of its own, and a folder to copy from', async () => {
    const { from, to } = places();
    await copyWorkspace(from, to);
    await expect(copyWorkspace(from, to)).rejects.toMatchObject({ code: 'invalid_option' });
    await expect(copyWorkspace(join(from, 'a.txt'), `${to}-2`)).rejects.toThrow('is not a folder');
    await expect(copyWorkspace(join(from, 'nowhere'), `${to}-2`)).rejects.toMatchObject({
      code: 'invalid_option',
    });
  });

  it('WS-1: of a process that was killed in the middle never appears, and is swept away later', async () => {
    const { root, from } = places();
    const peers = join(root, 'shared', 'peers');
    await openWorkspaces({ directory: join(root, 'shared') });
    for (let i = 0; i < 2000; i += 1) writeTree(from, { [`${i}.txt`]: 'x'.repeat(2000) });
    const args = [await compileProgram(program('copy-workspace.ts')), from, join(peers, 'copy')];
    const child = execFile(process.execPath, args);
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    const drafts = () => readdirSync(peers).filter((name) => name.endsWith('.partial'));
    await until(() => drafts().length > 0, 'the draft');
    child.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    expect(readdirSync(peers)).toEqual(drafts());
    await openWorkspaces({ directory: join(root, 'shared') });
    expect(drafts(), 'a young one may be in use').toHaveLength(1);
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const draft of drafts()) utimesSync(join(peers, draft), old, old);
    await openWorkspaces({ directory: join(root, 'shared') });
    expect(readdirSync(peers)).toEqual([]);
  });
});

describe('links', () => {
  it('WS-2: that stay inside are links in the copy, and lead to the copy', async () => {
    const { from, to } = places();
    writeTree(from, {
      'src/b.txt': 'b',
      near: { link: 'a.txt' },
      'src/up': { link: '../a.txt' },
      absolute: { link: join(from, 'src', 'b.txt') },
      chain: { link: 'near' },
      folder: { link: 'src' },
      'src/self': { link: '.' },
      whole: { link: '.' },
    });
    const { leftOut } = await copyWorkspace(from, to);
    expect(leftOut).toEqual([]);
    expect(readTree(to)).toMatchObject({
      near: { link: 'a.txt' },
      'src/up': { link: '../a.txt' },
      absolute: { link: 'src/b.txt' },
      chain: { link: 'a.txt' },
      folder: { link: 'src' },
      'src/self': { link: '.' },
      whole: { link: '.' },
    });
  });

  it('WS-2: that lead out, nowhere, in a circle, or to what is left out are left out, and nothing behind them is read', async () => {
    const { root, from, to } = places();
    writeTree(root, { 'outside/secret.txt': 'not yours' });
    writeTree(from, {
      etc: { link: '/etc' },
      out: { link: '../outside/secret.txt' },
      'out-folder': { link: join(root, 'outside') },
      nowhere: { link: 'missing' },
      one: { link: 'two' },
      two: { link: 'one' },
      '.env': 'KEY=1',
      env: { link: '.env' },
      'beside-root': { link: `${from}-2` },
    });
    writeTree(`${from}-2`, { 'x.txt': 'x' });
    const { leftOut } = await copyWorkspace(from, to);
    expect(asWords(leftOut)).toEqual([
      '.env secret',
      ...['beside-root', 'env', 'etc', 'nowhere', 'one', 'out', 'out-folder', 'two'].map(
        (name) => `${name} link`,
      ),
    ]);
    const why = Object.fromEntries(leftOut.map((entry) => [entry.path, entry.why]));
    expect(why).toMatchObject({
      etc: 'the link points outside the workspace',
      'beside-root': 'the link points outside the workspace',
      nowhere: 'the link has no target',
      one: 'the link goes in a circle',
      env: 'the link points to something that was left out',
    });
    expect(readTree(to)).toEqual({ 'a.txt': 'a' });
  });

  it('WS-2: the workspace itself may be given by a link', async () => {
    const { root, from, to } = places();
    writeTree(root, { shortcut: { link: 'work' } });
    writeTree(from, { back: { link: join(root, 'shortcut', 'a.txt') } });
    await copyWorkspace(join(root, 'shortcut'), to);
    expect(readTree(to)).toEqual({ 'a.txt': 'a', back: { link: 'a.txt' } });
  });

  it.skipIf(process.platform !== 'linux')(
    'WS-2: that are put in the place of a folder meanwhile are not followed',
    async () => {
      const { root, from } = places();
      writeTree(root, { 'outside/name.txt': 'from outside', go: '' });
      writeTree(from, { 'folder/name.txt': 'from inside' });
      const child = execFile(process.execPath, [
        program('swap-folder.mjs'),
        join(from, 'folder'),
        join(root, 'outside'),
      ]);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await ended;
      });
      await new Promise((resolve) => child.stdout?.once('data', resolve));
      const contents = new Set<string>();
      for (let i = 0; i < 60; i += 1) {
        const to = join(root, `copy-${i}`);
        await copyWorkspace(from, to);
        for (const [path, text] of Object.entries(readTree(to)))
          if (path.endsWith('name.txt')) contents.add(String(text));
      }
      expect([...contents]).toEqual(['from inside']);
    },
  );
});

describe('what is left out', () => {
  it('WS-3: pipes and sockets, without waiting for them; a second name of a file is a file', async () => {
    const { from, to } = places();
    makePipe(join(from, 'pipe'));
    const server = createServer().listen(join(from, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
    linkSync(join(from, 'a.txt'), join(from, 'hard.txt'));
    const { leftOut } = await copyWorkspace(from, to);
    expect(asWords(leftOut)).toEqual(['pipe special', 'socket special']);
    expect(readTree(to)).toEqual({ 'a.txt': 'a', 'hard.txt': 'a' });
    expect(statSync(join(to, 'hard.txt')).nlink).toBe(1);
  });

  const SECRETS = [
    ...['.env', '.env.local', 'prod.env', '.npmrc', '.netrc', 'server.pem', 'tls.KEY', 'store.jks'],
    ...[
      'id_rsa',
      'id_ed25519',
      'id_deploy',
      '.pgpass',
      '.git-credentials',
      'credentials',
      'credentials.json',
    ],
    ...['Credentials.yaml', 'token', 'tokens.json', 'github.token', 'secrets.yaml', 'auth.json', 'x.tfstate'],
    ...[
      '.aws/config',
      '.ssh/known_hosts',
      '.gnupg/x',
      '.kube/config',
      'secrets/a.txt',
      '.docker/config.json',
    ],
    '.config/gcloud/x',
  ];

  it.each(SECRETS)('WS-4: %s is a secret, at any depth', async (path) => {
    const { from, to } = places();
    writeTree(from, { [path]: 'secret', [`deep/er/${path}`]: 'secret' });
    const { leftOut } = await copyWorkspace(from, to);
    expect(leftOut.map(({ reason }) => reason)).toEqual(['secret', 'secret']);
    expect(JSON.stringify(readTree(to))).not.toContain('"secret"');
  });

  it('WS-4: a private key is one under any name; what only looks like a secret is shared', async () => {
    const { from, to } = places();
    const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n';
    const harmless = {
      '.env.example': 'KEY=',
      'id_rsa.pub': 'ssh-rsa',
      'id_map.ts': 'code',
      'tokens.ts': 'code',
      'environment.ts': 'code',
      'about-keys.md': `A key begins with ${key}`,
    };
    writeTree(from, { ...harmless, deploy: key });
    const { leftOut } = await copyWorkspace(from, to);
    expect(asWords(leftOut)).toEqual(['deploy secret']);
    expect(readTree(to)).toEqual({ 'a.txt': 'a', ...harmless });
  });

  it('WS-4: `include` brings them all the same', async () => {
    const { from, to } = places();
    const tree = { '.env': 'A=1', 'keys/test.pem': '-----BEGIN PRIVATE KEY-----\n', '.git/config': 'x' };
    writeTree(from, { ...tree, 'other/.env': 'B=1' });
    const { leftOut } = await copyWorkspace(from, to, { include: ['keys/*', '.git', '/.env', '.env'] });
    expect(leftOut).toEqual([]);
    expect(readTree(to)).toMatchObject({ ...tree, 'other/.env': 'B=1' });
  });

  it('WS-5: history, installed packages, and what `exclude` says by name or path', async () => {
    const { from, to } = places();
    writeTree(from, {
      '.git/HEAD': 'x',
      'pkg/.git': 'gitdir: elsewhere',
      'pkg/node_modules/a/index.js': 'x',
      'pkg/x.log': 'x',
      'data/raw/big.csv': 'x',
      'data/small.csv': 'x',
    });
    const { leftOut } = await copyWorkspace(from, to, { exclude: ['*.log', 'data/raw/'] });
    expect(asWords(leftOut)).toEqual(
      ['.git', 'data/raw', 'pkg/.git', 'pkg/node_modules', 'pkg/x.log'].map((path) => `${path} excluded`),
    );
    expect(readTree(to)).toEqual({ 'a.txt': 'a', data: null, 'data/small.csv': 'x', pkg: null });
  });

  it('WS-6: everything but `only`, of which a missing one is said', async () => {
    const { from, to } = places();
    writeTree(from, {
      'out/report.md': 'r',
      'out/.env': 'x',
      'src/a.ts': 'a',
      'src/b.ts': 'b',
      'z/z.txt': 'z',
    });
    const { leftOut } = await copyWorkspace(from, to, { only: ['out/', './src/a.ts', 'gone.txt'] });
    expect(asWords(leftOut)).toEqual(['gone.txt unreadable', 'out/.env secret']);
    expect(readTree(to)).toEqual({ out: null, 'out/report.md': 'r', src: null, 'src/a.ts': 'a' });
  });

  it.each(['../x', 'a/../../x', '/etc/passwd', 'a\0b', '', '.', './'])(
    'WS-6: %j is not a path within a workspace',
    async (path) => {
      const { from, to } = places();
      await expect(copyWorkspace(from, to, { only: [path] })).rejects.toMatchObject({
        code: 'invalid_option',
      });
      expect(existsSync(to)).toBe(false);
    },
  );
});

describe('limits', () => {
  it('WS-7: a file that is too large by its size, however little it takes on disk', async () => {
    const { from, to } = places();
    writeFileSync(join(from, 'sparse.bin'), '');
    truncateSync(join(from, 'sparse.bin'), 2 ** 40);
    const { leftOut } = await copyWorkspace(from, to);
    expect(asWords(leftOut)).toEqual(['sparse.bin too-large']);
    expect(leftOut[0]?.why).toContain(String(2 ** 40));
    expect(readTree(to)).toEqual({ 'a.txt': 'a' });
  });

  it('WS-7: files, bytes and depth; what lies beside comes before what lies below', async () => {
    const { from } = places();
    writeTree(from, { 'b/c/d.txt': 'dddd', 'b/x.txt': 'xx', 'z.txt': 'zzz' });
    const copy = async (name: string, limits: object) => {
      const to = join(from, '..', name);
      const { leftOut, files, bytes } = await copyWorkspace(from, to, { limits });
      return { tree: Object.keys(readTree(to)), leftOut: asWords(leftOut), files, bytes };
    };
    expect(await copy('files', { maxFiles: 3 })).toEqual({
      tree: ['a.txt', 'b', 'z.txt'],
      leftOut: ['b/c too-many', 'b/x.txt too-many'],
      files: 2,
      bytes: 4,
    });
    expect(await copy('bytes', { maxBytes: 6 })).toMatchObject({
      tree: ['a.txt', 'b', 'b/c', 'b/x.txt', 'z.txt'],
      leftOut: ['b/c/d.txt too-large'],
      bytes: 6,
    });
    expect(await copy('each', { maxFileBytes: 3 })).toMatchObject({ leftOut: ['b/c/d.txt too-large'] });
    expect(await copy('depth', { maxDepth: 1 })).toMatchObject({
      tree: ['a.txt', 'b', 'b/x.txt', 'z.txt'],
      leftOut: ['b/c too-deep'],
    });
  });

  it('WS-7: a folder is not read to its end when there is too much in it', async () => {
    const { from, to } = places();
    for (let i = 0; i < 60; i += 1) writeTree(from, { [`${i}.txt`]: '' });
    const { leftOut } = await copyWorkspace(from, to, { limits: { maxFiles: 5 } });
    expect(leftOut).toContainEqual({ path: '.', reason: 'too-many', why: 'it has too many entries' });
    expect(readdirSync(to)).toHaveLength(5);
  });

  it.each([{ maxFiles: -1 }, { maxBytes: Number.NaN }, { maxDepth: 1.5 }, { maxFileBytes: '5' as never }])(
    'WS-7: %j is no limit',
    async (limits) => {
      const { from, to } = places();
      await expect(copyWorkspace(from, to, { limits })).rejects.toMatchObject({ code: 'invalid_option' });
    },
  );

  it('WS-8: of what is left out a thousand are listed and all are counted', async () => {
    const { from, to } = places();
    for (let i = 0; i < 1005; i += 1) writeTree(from, { [`${i}.pem`]: '' });
    const { leftOut, leftOutCount } = await copyWorkspace(from, to);
    expect([leftOut.length, leftOutCount]).toEqual([1000, 1005]);
    expect(leftOut[0]).toEqual({ path: '0.pem', reason: 'secret', why: 'its name looks like a secret' });
  });
});

describe('files that change', () => {
  /** The copy looks at its signal before each piece that it reads: the moment to write to the file. */
  function writingMeanwhile(write: (piece: number) => void): AbortSignal {
    let pieces = 0;
    const { signal } = new AbortController();
    signal.throwIfAborted = () => write(pieces++);
    return signal;
  }

  it('WS-9: a file that is written to while it is read is read again', async () => {
    const { from, to } = places();
    writeTree(from, { 'busy.txt': 'a'.repeat(200_000) });
    let writes = 0;
    const signal = writingMeanwhile((piece) => {
      // The first pieces belong to the walk and to the other file; one in the middle of this file is enough.
      if (piece !== 5) return;
      writes += 1;
      writeFileSync(join(from, 'busy.txt'), 'b'.repeat(150_000));
    });
    const { leftOut } = await copyWorkspace(from, to, { signal });
    expect(writes).toBe(1);
    expect(leftOut).toEqual([]);
    expect(readTree(to)['busy.txt']).toBe('b'.repeat(150_000));
  });

  it('WS-9: one that is written to the whole time is left out', async () => {
    const { from, to } = places();
    writeTree(from, { 'busy.txt': 'a'.repeat(200_000) });
    const signal = writingMeanwhile(() => appendFileSync(join(from, 'busy.txt'), 'b'));
    const { leftOut } = await copyWorkspace(from, to, { signal });
    expect(asWords(leftOut)).toEqual(['busy.txt changing']);
    expect(readTree(to)).toEqual({ 'a.txt': 'a' });
  });

  it('WS-9: a name that cannot be read is left out, and the rest is there', async () => {
    const { from, to } = places();
    writeFileSync(Buffer.concat([Buffer.from(join(from, 'x')), Buffer.from([0xff, 0xfe])]), 'x');
    const { leftOut } = await copyWorkspace(from, to);
    expect(leftOut.map(({ reason }) => reason)).toEqual(['unreadable']);
    expect(readTree(to)).toEqual({ 'a.txt': 'a' });
  });
});
