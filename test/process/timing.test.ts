import { describe, expect, test, vi } from 'vitest';
import { assertTimerMs, toTimerMs } from '../../src/base/async/timeout.js';
import { CappedOutput } from '../../src/process/capped-output.js';
import { isRunning, processTest, stateOf } from '../support/process-harness.js';

describe('seconds for a timer', () => {
  test.each([
    [1, 1000],
    [0.5, 500],
    [16.1, 16_100],
    [0.0001, 1],
    [1e-9, 1],
    [1.0001, 1001],
    [2_147_483.647, 2_147_483_647],
  ])('%d s are %d ms', (seconds, ms) => {
    expect(toTimerMs(seconds)).toBe(ms);
    expect(() => assertTimerMs(ms)).not.toThrow();
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined, {}, 5n])(
    '%s is refused, and the message shows it',
    (seconds) => {
      expect(() => toTimerMs(seconds)).toThrow(RangeError);
      expect(() => toTimerMs(seconds)).toThrow(String(seconds));
    },
  );

  test('more than a timer can hold is refused with a guess at the cause', () => {
    expect(() => toTimerMs(2_147_483.648)).toThrow(/did you mean milliseconds/);
  });
});

describe('a blocked event loop', () => {
  processTest('does not turn an exit that was in time into a timeout', async ({ run }) => {
    const running = run({ command: 'echo in time', timeoutMs: 200 });
    block(() => stateOf(running.pid ?? 0) === 'Z', 500);
    const { end, stdout } = await running.done;
    expect(end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(stdout).toBe('in time\n');
  });

  processTest('does not lose what was printed after the exit', async ({ run, reported }) => {
    const command = '(until [ -e go ]; do sleep 0.01; done; echo late; exec >&- 2>&-) & echo $! >> "$PIDS"';
    const running = run({ command, limits: { drainGraceMs: 300, drainCapMs: 60_000 } });
    const [child = 0] = await reported(1);
    await vi.waitFor(() => expect(isRunning(running.pid ?? 0)).toBe(false));
    const go = run({ command: 'touch go' });
    // Timers come right after this, before anything is read.
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        block(() => !isRunning(child), 1000);
        resolve();
      });
    });
    expect((await running.done).stdout).toBe('late\n');
    await go.done;
  });

  processTest('does not settle twice when it comes back after the deadline', async ({ run }) => {
    const running = run({ command: 'exec sleep 100', timeoutMs: 50 });
    block(() => true, 300);
    expect((await running.done).end).toEqual({ kind: 'timed-out' });
  });
});

describe('durations', () => {
  processTest('come from a clock that is never set back', async ({ run }) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const running = run({ command: 'sleep 0.05' });
      vi.setSystemTime(0);
      const { durationMs } = await running.done;
      expect(durationMs).toBeGreaterThan(45);
      expect(durationMs).toBeLessThan(10_000);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('kept output', () => {
  test('a million one-byte chunks are one text, told in the same pieces', () => {
    let told = 0;
    const output = new CappedOutput(2_000_000, () => told++);
    const chunk = Buffer.from('x');
    for (let index = 0; index < 1_000_000; index++) output.append(chunk);
    expect(output.finish() === 'x'.repeat(1_000_000)).toBe(true);
    expect(told).toBe(1_000_000);
  });

  test('characters split at every byte are reported whole', () => {
    const text = 'é😀\ufeff漢';
    const told: string[] = [];
    const output = new CappedOutput(100, (piece) => told.push(piece));
    for (const byte of Buffer.from(text)) output.append(Buffer.from([byte]));
    expect(output.finish()).toBe(text);
    expect(told).toEqual([...text]);
  });

  test('a limit inside a character leaves a replacement, not a broken one', () => {
    const output = new CappedOutput(3);
    expect(output.append(Buffer.from('a😀'))).toBe(false);
    expect(output.append(Buffer.from('b'))).toBe(false);
    expect(output.finish()).toBe('a\ufffd');
  });
});

/** Keeps the event loop busy until something has happened outside, and then until at least so long. */
function block(condition: () => boolean, atLeastMs: number): void {
  const start = performance.now();
  while (performance.now() - start < atLeastMs || (!condition() && performance.now() - start < 5000)) {
    if (condition() && performance.now() - start >= atLeastMs) return;
  }
}
