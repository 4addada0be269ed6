import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLimiter, type Release } from '../../../src/base/async/limiter.js';
import { runLimited } from '../../../src/process/run-limited.js';
import { runProcess } from '../../../src/process/run-process.js';
import { openFiles, processTest, until } from '../../support/process-harness.js';

describe('the limiter', () => {
  test('grants in order, the urgent first, at most so many at once, and loses nobody', async () => {
    const actions = fc.array(
      fc.record({
        kind: fc.constantFrom('acquire', 'release', 'cancel'),
        urgent: fc.boolean(),
        pick: fc.nat(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), actions, async (limit, script) => {
        const limiter = createLimiter(limit);
        const granted: number[] = [];
        const urgents = new Set<number>();
        const waiting = new Set<number>();
        const refused: number[] = [];
        const held: Release[] = [];
        const cancels: Array<() => boolean> = [];
        const cancelled: number[] = [];
        for (const { kind, urgent, pick } of script) {
          if (kind === 'acquire') {
            const id = cancels.length;
            const slot = limiter.acquire(urgent);
            expect(slot.queued).toBe(limiter.waiting > waiting.size);
            if (urgent) urgents.add(id);
            waiting.add(id);
            cancels.push(slot.cancel);
            void slot.granted.then((release) => {
              waiting.delete(id);
              (release ? granted : refused).push(id);
              if (!release) return;
              held.push(release);
              const before = [...waiting].filter((other) => urgents.has(other) === urgent && other < id);
              expect(before).toEqual([]);
              expect(!urgent && [...waiting].some((other) => urgents.has(other))).toBe(false);
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
    '500 at once: none is lost, at most 16 run, all files are closed',
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
      const request = { command: '/bin/echo', cwd: dir, env: {}, stdin: '', timeoutMs: 170_000 };
      const all = Array.from({ length: 500 }, (_, index) =>
        runLimited(limiter, { ...request, args: [String(index)] }, start),
      );
      const results = await Promise.all(all.map(({ done }) => done));
      expect(results.map(({ stdout }) => stdout)).toEqual(
        Array.from({ length: 500 }, (_, index) => `${index}\n`),
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
    const { granted } = limiter.acquire();
    const given: number[] = [];
    const start: typeof runProcess = (request) => {
      given.push(request.timeoutMs);
      return runProcess(request);
    };
    const request = { command: 'true', cwd: dir, env: {}, stdin: '', timeoutMs: 20_000 };
    const waiting = runLimited(limiter, request, start);
    await new Promise((resolve) => setTimeout(resolve, 20));
    (await granted)?.();
    expect((await waiting.done).end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(given).toEqual([20_000]);
  });

  processTest(
    'one that waits as long as it might have run is not started, and gives up its place',
    async (bench) => {
      const limiter = createLimiter(1);
      const { granted } = limiter.acquire();
      const request = { command: 'touch started', cwd: bench.dir, env: {}, stdin: '', timeoutMs: 50 };
      const { end, durationMs } = await runLimited(limiter, request).done;
      expect(end).toMatchObject({ kind: 'failed-to-start', code: 'ENOSLOT' });
      expect(end).toHaveProperty('message', 'the only process slot was not free within 0.05 s');
      expect(durationMs).toBeGreaterThanOrEqual(49);
      expect([limiter.active, limiter.waiting]).toEqual([1, 0]);
      (await granted)?.();
      expect(limiter.active).toBe(0);
      expect((await bench.run({ command: 'ls' }).done).stdout).toBe('');
    },
  );

  processTest(
    'whether it may start is asked once it has its slot; one that may not passes the slot on',
    async (bench) => {
      const limiter = createLimiter(1);
      const { granted } = limiter.acquire();
      const asked: string[] = [];
      const request = { command: 'touch started', cwd: bench.dir, env: {}, stdin: '', timeoutMs: 20_000 };
      const turn = (name: string, answer: boolean) => ({
        mayStart: async () => {
          asked.push(name);
          expect(limiter.active).toBe(1);
          return answer;
        },
      });
      const refused = runLimited(limiter, request, runProcess, turn('refused', false));
      const allowed = runLimited(limiter, { ...request, command: 'ls' }, runProcess, turn('allowed', true));
      await new Promise(setImmediate);
      expect(asked).toEqual([]);
      (await granted)?.();
      expect((await refused.done).end).toEqual({ kind: 'aborted' });
      expect((await allowed.done).stdout).toBe('');
      expect(asked).toEqual(['refused', 'allowed']);
      expect(limiter.active).toBe(0);
    },
  );
});
