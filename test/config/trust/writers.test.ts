/** Several writers of one store, in one process and in many: no approval is lost, no lock stays. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { withLock } from '../../../src/config/trust/lock.js';
import { createTrustStore } from '../../../src/config/trust/trust-store.js';
import { type TrustFixture, trustTest } from './support.js';

const run = promisify(execFile);
const STORE = fileURLToPath(new URL('../../../src/config/trust/trust-store.ts', import.meta.url));
const NOBODY = 2 ** 22 + 1;

function leaveLock({ file }: TrustFixture, owner: object, ageSeconds = 0): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = `${file}.lock`;
  writeFileSync(lock, JSON.stringify(owner), { mode: 0o600 });
  const then = Date.now() / 1000 - ageSeconds;
  utimesSync(lock, then, then);
  return lock;
}

describe('writers', () => {
  trustTest('TR-12 in one process lose nothing', async ({ trust }) => {
    const hooks = Array.from({ length: 40 }, (_, i) => trust.hook(`echo ${i}`));
    await Promise.all(
      hooks.map((hook) => createTrustStore({ file: trust.file }).approve(trust.workspace, [hook])),
    );
    expect(new Set(await trust.store.status(trust.workspace, hooks))).toEqual(new Set(['trusted']));
    expect(readdirSync(dirname(trust.file))).toEqual(['trust.json']);
  });

  trustTest('TR-12 in several processes lose nothing, with a crashed one before them', async ({ trust }) => {
    leaveLock(trust, { pid: NOBODY, host: hostname(), id: 'crashed' });
    const program = `
      const { createTrustStore } = await import(${JSON.stringify(STORE)});
      const [file, workspace, me] = process.argv.slice(-3);
      for (let i = 0; i < 5; i++) {
        const handler = { type: 'command', command: 'echo ' + me + ' ' + i };
        await createTrustStore({ file }).approve(workspace, [{ event: 'Stop', handler, workspace }]);
      }`;
    await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((me) =>
        run(process.execPath, [
          ...['--import', 'tsx', '--input-type=module', '--eval', program, '--'],
          ...[trust.file, trust.workspace, me],
        ]),
      ),
    );
    const summaries = (await trust.store.list()).map(({ summary }) => summary);
    expect(new Set(summaries).size).toBe(30);
    expect(readdirSync(dirname(trust.file))).toEqual(['trust.json']);
  });

  trustTest('TR-12 readers meanwhile see a whole store, before or after', async ({ trust }) => {
    const hook = trust.hook('echo first');
    await trust.store.approve(trust.workspace, [hook]);
    let writing = true;
    const writer = (async () => {
      for (let i = 0; i < 30; i++) await trust.store.approve(trust.workspace, [trust.hook(`echo ${i}`)]);
      writing = false;
    })();
    let reads = 0;
    for (; writing; reads++) expect(await trust.store.status(trust.workspace, [hook])).toEqual(['trusted']);
    await writer;
    expect(reads).toBeGreaterThan(5);
  });
});

describe('a lock', () => {
  const NOW = { waitMs: 200, staleMs: 10_000 };

  for (const [whose, owner, age] of [
    ['of a process that is gone', { pid: NOBODY, host: hostname() }, 0],
    ['that is old', { pid: process.pid, host: hostname() }, 60],
    ['of another machine that is old', { pid: 1, host: 'elsewhere' }, 60],
  ] as const) {
    trustTest(`TR-12 ${whose} is taken over`, async ({ trust }) => {
      leaveLock(trust, owner, age);
      // It does not wait: a busy machine only takes long.
      expect(await withLock(trust.file, async () => 'done', { ...NOW, waitMs: 30_000 })).toBe('done');
      expect(readdirSync(dirname(trust.file))).toEqual([]);
    });
  }

  for (const [whose, owner] of [
    ['of a process that lives', { pid: process.pid, host: hostname() }],
    ['of another machine that is new', { pid: NOBODY, host: 'elsewhere' }],
    ['that is not yet written', ''],
  ] as const) {
    trustTest(`TR-12 ${whose} is respected, and in the end named`, async ({ trust }) => {
      const lock = leaveLock(trust, owner as object);
      let worked = false;
      const attempt = withLock(trust.file, async () => (worked = true), NOW);
      await expect(attempt).rejects.toMatchObject({
        code: 'store_locked',
        message: expect.stringContaining(`delete '${lock}'`),
      });
      expect(worked).toBe(false);
      expect(readdirSync(dirname(trust.file))).toEqual(['trust.json.lock']);
    });
  }

  trustTest('TR-12 is given back when the work fails', async ({ trust }) => {
    mkdirSync(dirname(trust.file), { recursive: true });
    await expect(withLock(trust.file, () => Promise.reject(new Error('no')), NOW)).rejects.toThrow('no');
    expect(readdirSync(dirname(trust.file))).toEqual([]);
  });

  trustTest(
    'TR-12 that another process took over is not given back, and the loser knows',
    async ({ trust }) => {
      mkdirSync(dirname(trust.file), { recursive: true });
      const held = await withLock(
        trust.file,
        async (stillOurs) => {
          const before = await stillOurs();
          writeFileSync(`${trust.file}.lock`, 'somebody else');
          return [before, await stillOurs()];
        },
        NOW,
      );
      expect(held).toEqual([true, false]);
      expect(readFileSync(`${trust.file}.lock`, 'utf8')).toBe('somebody else');
    },
  );

  trustTest('TR-12 that is a link leads nowhere', async ({ trust }) => {
    mkdirSync(dirname(trust.file), { recursive: true });
    const victim = trust.write('victim', 'precious');
    symlinkSync(victim, `${trust.file}.lock`);
    await expect(withLock(trust.file, async () => 1, NOW)).rejects.toMatchObject({ code: 'store_locked' });
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });
});
