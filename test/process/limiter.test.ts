import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLimiter, type Release } from '../../src/process/limiter.js';
import { runLimited } from '../../src/process/run-limited.js';
import { runProcess } from '../../src/process/run-process.js';
import { openFiles, processTest, until } from '../support/process-harness.js';

describe('the limiter', () => {
  test('grants in order, at most so many at once, and loses nobody', async () => {
    const actions = fc.array(
      fc.record({ kind: fc.constantFrom('acquire', 'release', 'cancel'), pick: fc.nat() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), actions, async (limit, script) => {
        const limiter = createLimiter(limit);
        const granted: number[] = [];
        const refused: number[] = [];
        const held: Release[] = [];
        const cancels: Array<() => boolean> = [];
        const cancelled: number[] = [];
        for (const { kind, pick } of script) {
          if (kind === 'acquire') {
            const id = cancels.length;
            const slot = limiter.acquire();
            cancels.push(slot.cancel);
            void slot.granted.then((release) => {
              (release ? granted : refused).push(id);
              if (release) held.push(release);
            });
          } else if (kind === 'release') {
            const release = held.shift();
            release?.();
            release?.();
          } else if (cancels.length > 0 && cancels[pick % cancels.length]?.()) {
            cancelled.push(pick % cancels.length);
          }
          await Promise.resolve();
          await Promise.resolve();
          expect(limiter.active).toBeLessThanOrEqual(limit);
          expect(limiter.waiting > 0 && limiter.active < limit).toBe(false);
        }
        while (limiter.active > 0) {
          held.shift()?.();
          await Promise.resolve();
        }
        await new Promise(setImmediate);
        expect(granted).toEqual([...granted].sort((a, b) => a - b));
        expect(refused.sort()).toEqual(cancelled.sort());
        expect(granted.length + refused.length).toBe(cancels.length);
      }),
      { numRuns: 200 },
    );
  });

  test('refuses a limit that would let nobody through', () => {
    for (const limit of [0, -1, 1.5, Number.NaN]) expect(() => createLimiter(limit)).toThrow(RangeError);
  });
});

describe('limited processes', () => {
  processTest(
    '2,000 at once: none is lost, at most 16 run, all files are closed',
    async ({ run: _, dir }) => {
      const limiter = createLimiter();
      const before = openFiles();
      let running = 0;
      let most = 0;
      const start: typeof runProcess = (request) => {
        most = Math.max(most, ++running);
        const started = runProcess(request);
        void started.done.then(() => running--);
        return started;
      };
      const request = { command: '/bin/echo', cwd: dir, env: {}, stdin: '', timeoutMs: 60_000 };
      const all = Array.from({ length: 2000 }, (_, index) =>
        runLimited(limiter, { ...request, args: [String(index)] }, start),
      );
      const results = await Promise.all(all.map(({ done }) => done));
      expect(results.map(({ stdout }) => stdout)).toEqual(
        Array.from({ length: 2000 }, (_, index) => `${index}\n`),
      );
      expect(results.every(({ end }) => end.kind === 'exited')).toBe(true);
      expect(most).toBe(16);
      expect([limiter.active, limiter.waiting]).toEqual([0, 0]);
      await until(() => openFiles() <= before, 'open files back to before');
    },
    { timeout: 180_000 },
  );

  processTest('one that is aborted while it waits never starts', async ({ run, dir }) => {
    const limiter = createLimiter(1);
    const request = { cwd: dir, env: { PATH: process.env['PATH'] ?? '' }, stdin: '', timeoutMs: 10_000 };
    const first = runLimited(limiter, { ...request, command: 'until [ -e go ]; do sleep 0.01; done' });
    const second = runLimited(limiter, { ...request, command: 'touch started' });
    const third = runLimited(limiter, { ...request, command: 'echo third' });
    expect(second.pid).toBeUndefined();
    second.abort();
    expect((await second.done).end).toEqual({ kind: 'aborted' });
    await run({ command: 'touch go' }).done;
    expect((await first.done).end).toEqual({ kind: 'exited', exitCode: 0 });
    expect((await third.done).stdout).toBe('third\n');
    expect((await run({ command: 'ls' }).done).stdout).toBe('go\n');
  });

  processTest('one that is aborted in the moment of its turn never starts either', async ({ run, dir }) => {
    const limiter = createLimiter(1);
    const request = { command: 'touch started', cwd: dir, env: {}, stdin: '', timeoutMs: 10_000 };
    const running = runLimited(limiter, request);
    running.abort();
    expect((await running.done).end).toEqual({ kind: 'aborted' });
    expect(limiter.active).toBe(0);
    expect((await run({ command: 'ls' }).done).stdout).toBe('');
  });

  processTest('the deadline counts from the start, not from the waiting', async ({ dir }) => {
    const limiter = createLimiter(1);
    const request = { cwd: dir, env: { PATH: process.env['PATH'] ?? '' }, stdin: '', timeoutMs: 600 };
    const all = [1, 2, 3].map(() => runLimited(limiter, { ...request, command: 'sleep 0.3' }));
    const ends = await Promise.all(all.map(async ({ done }) => (await done).end.kind));
    expect(ends).toEqual(['exited', 'exited', 'exited']);
  });
});
