import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  bash,
  blockEventLoop,
  gate,
  hasSettled,
  makeRunner,
  SAMPLES,
  soon,
  turns,
  watchProcess,
} from '../support/runner.js';

watchProcess();

const never = (): Promise<never> => new Promise(() => {});

describe('how long a hook may take', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    { what: "the hook's own timeout", hook: 1, group: 2, runner: 3, ms: 1000 },
    { what: "its group's timeout", hook: undefined, group: 2, runner: 3, ms: 2000 },
    { what: "the runner's timeout", hook: undefined, group: undefined, runner: 3, ms: 3000 },
    { what: '60 seconds', hook: undefined, group: undefined, runner: undefined, ms: 60_000 },
    { what: 'a hook timeout longer than the others', hook: 9, group: 1, runner: 1, ms: 9000 },
    { what: 'a fraction of a second', hook: 0.25, group: 1, runner: 1, ms: 250 },
    { what: 'a fraction of a millisecond, rounded up', hook: 0.0004, group: 1, runner: 1, ms: 1 },
    { what: 'next to nothing, rounded up', hook: 1e-9, group: 1, runner: 1, ms: 1 },
    { what: 'one and a half milliseconds, rounded up', hook: 0.0015, group: 1, runner: 1, ms: 2 },
  ])('DL-1 the deadline is $what', async ({ hook, group, runner: own, ms }) => {
    const { runner } = makeRunner({ timeout: own });
    runner.on('Stop', { timeout: group }, { type: 'callback', callback: never, timeout: hook });
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(await hasSettled(fired)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const { results, failures } = await soon(fired);
    expect(results[0]).toMatchObject({ outcome: 'cancelled', durationMs: ms });
    expect(failures).toMatchObject([{ kind: 'timed-out', message: `it took longer than ${ms / 1000} s` }]);
  });

  it('DL-1 every hook of a sequential group has the whole time for itself', async () => {
    const { runner } = makeRunner();
    const slow = () => new Promise<void>((resolve) => void setTimeout(resolve, 700));
    runner.on('Stop', { timeout: 1 }, [slow, slow, slow]);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await vi.advanceTimersByTimeAsync(2100);
    const { results } = await soon(fired);
    expect(results.map((result) => result.outcome)).toEqual(['success', 'success', 'success']);
  });

  it('DL-1 in a parallel group each hook ends at its own deadline', async () => {
    const { runner, record } = makeRunner();
    const hook = (timeout: number) => ({ type: 'callback', callback: never, timeout }) as const;
    runner.on('Stop', { parallel: true }, [hook(3), hook(1), hook(2)]);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    const responses = (): number =>
      record.messages.filter((message) => message.subtype === 'hook_response').length;
    for (const expected of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(1000);
      expect(responses()).toBe(expected);
    }
    const { results } = await soon(fired);
    expect(results.map((result) => result.durationMs)).toEqual([3000, 1000, 2000]);
  });

  it('DL-1 a hook that answered leaves no timer behind', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', { parallel: true }, [
      async () => ({ continue: true }),
      async () => Promise.reject(new Error('no')),
      () => undefined,
    ]);
    await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('DL-1 a deadline leaves no timer behind', async () => {
    const { runner } = makeRunner({ timeout: 1 });
    runner.on('Stop', never);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await vi.advanceTimersByTimeAsync(1000);
    await soon(fired);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('at the deadline', () => {
  it('DL-2 the signal is aborted first, then the result is recorded', async () => {
    const { runner } = makeRunner({ timeout: 0.02 });
    const log: string[] = [];
    runner.messages.on('hook_response', ({ outcome }) => void log.push(`response ${outcome}`));
    runner.on('Stop', (_input, _id, { signal }) => {
      signal.addEventListener('abort', () => log.push('aborted'));
      return never();
    });
    const { failures } = await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(log).toEqual(['aborted', 'response cancelled']);
    expect(failures).toMatchObject([{ kind: 'timed-out' }]);
  });

  it('DL-2 a signal first looked at after the deadline is already aborted', async () => {
    const { runner } = makeRunner({ timeout: 0.02 });
    const late = gate();
    const looked = gate<boolean>();
    runner.on('Stop', async (_input, _id, context) => {
      await late.passed;
      looked.open(context.signal.aborted);
    });
    await soon(runner.fire('Stop', SAMPLES.Stop));
    late.open();
    expect(await looked.passed).toBe(true);
  });

  it('DL-2 the signal of a hook that answers in time is never aborted', async () => {
    const { runner } = makeRunner();
    const signals: AbortSignal[] = [];
    runner.on('Stop', async (_input, _id, { signal }) => void signals.push(signal));
    runner.on('Stop', { timeout: 0.02 }, never);
    await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(signals.map((signal) => signal.aborted)).toEqual([false]);
  });

  it('DL-2 an answer that comes later is ignored, and has no second response', async () => {
    const { runner, record } = makeRunner({ timeout: 0.02 });
    const late = gate();
    const answered = gate();
    runner.on('PreToolUse', async (_input, _id, context) => {
      await late.passed;
      context.progress('still here');
      answered.open();
      return { decision: 'block', systemMessage: 'late' };
    });
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    const before = JSON.stringify(outcome);
    late.open();
    await answered.passed;
    await turns();
    expect(JSON.stringify(outcome)).toBe(before);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.systemMessages).toEqual([]);
    expect(record.messages.map((message) => message.subtype)).toEqual(['hook_started', 'hook_response']);
  });

  it('DL-2 FA-6 a rejection that comes later is not an unhandled rejection', async () => {
    const { runner } = makeRunner({ timeout: 0.02 });
    const late = gate();
    runner.on('Stop', () => late.passed);
    const { failures } = await soon(runner.fire('Stop', SAMPLES.Stop));
    late.fail(new Error('too late'));
    await turns();
    expect(failures).toMatchObject([{ kind: 'timed-out' }]);
  });

  it('DL-2 a hook that answers "later" with a failing rest, after the deadline, is ignored too', async () => {
    const { runner } = makeRunner({ timeout: 0.02 });
    const late = gate();
    runner.on('Stop', async () => {
      await late.passed;
      return { async: true, result: Promise.reject(new Error('too late')) };
    });
    const { failures } = await soon(runner.fire('Stop', SAMPLES.Stop));
    late.open();
    await turns();
    expect(failures).toMatchObject([{ kind: 'timed-out' }]);
  });

  it('DL-2 the hooks after it still run', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { timeout: 0.02 }, never);
    runner.on('PreToolUse', () => ({ decision: 'approve' }));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.results.map((result) => result.outcome)).toEqual(['cancelled', 'success']);
    expect(outcome.decision).toBe('allow');
  });

  it('DL-2 a late answer is not taken for that of the hook that runs by then', async () => {
    const { runner } = makeRunner({ timeout: 5 });
    const late = gate();
    const second = gate();
    const first = async () => {
      await late.passed;
      return { decision: 'block', systemMessage: 'late' } as const;
    };
    runner.on('PreToolUse', [
      { type: 'callback', callback: first, timeout: 0.02 },
      async () => {
        late.open();
        await second.passed;
        return { decision: 'approve', systemMessage: 'second' };
      },
    ]);
    const fired = runner.fire('PreToolUse', bash());
    await late.passed;
    await turns();
    expect(await hasSettled(fired)).toBe(false);
    second.open();
    const outcome = await soon(fired);
    expect(outcome.results.map((result) => result.outcome)).toEqual(['cancelled', 'success']);
    expect(outcome).toMatchObject({ decision: 'allow', systemMessages: ['second'] });
  });

  it('DL-2 each of several hooks that hang one after another ends at its own deadline', async () => {
    const { runner } = makeRunner();
    const limit = { timeout: 0.02 };
    runner.on('Stop', limit, [never, never]);
    runner.on('Stop', async () => ({ continue: true }));
    runner.on('Stop', limit, never);
    const { results } = await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(results.map((result) => result.outcome)).toEqual([
      'cancelled',
      'cancelled',
      'success',
      'cancelled',
    ]);
  });

  it('DL-2 a hook that aborts its fire when it hears of its deadline still has one end', async () => {
    const { runner, record } = makeRunner({ timeout: 0.02 });
    const controller = new AbortController();
    runner.on('Stop', (_input, _id, { signal }) => {
      signal.addEventListener('abort', () => controller.abort());
      return never();
    });
    const outcome = await soon(runner.fire('Stop', SAMPLES.Stop, { signal: controller.signal }));
    expect(outcome.failures).toMatchObject([{ kind: 'timed-out' }]);
    expect(record.messages.map((message) => message.subtype)).toEqual(['hook_started', 'hook_response']);
  });

  it('DL-2 a thenable that never calls back ends at the deadline', async () => {
    const { runner } = makeRunner({ timeout: 0.02 });
    // biome-ignore lint/suspicious/noThenProperty: a thenable that misbehaves is what is tested
    runner.on('Stop', () => ({ then: () => undefined }) as never);
    const { failures } = await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(failures).toMatchObject([{ kind: 'timed-out' }]);
  });
});

describe('a hook that holds up the whole process', () => {
  it.each([
    ['before its first await', false],
    ['after an await', true],
  ])('DL-3 %s counts as timed out when it returns, and its answer is not used', async (_, awaits) => {
    const { runner } = makeRunner({ timeout: 0.02 });
    runner.on('PreToolUse', async () => {
      if (awaits) await null;
      blockEventLoop(60);
      return { decision: 'approve', systemMessage: 'late' };
    });
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.failures).toMatchObject([{ kind: 'timed-out', blocked: false }]);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.systemMessages).toEqual([]);
    expect(outcome.results[0]?.outcome).toBe('cancelled');
    expect(outcome.results[0]?.durationMs).toBeGreaterThanOrEqual(59);
  });

  it('DL-3 a plain function counts in the same way, and as a guard it blocks', async () => {
    const { runner } = makeRunner({ timeout: 0.02, onFailure: 'block' });
    runner.on('PreToolUse', () => {
      blockEventLoop(60);
      return { decision: 'approve' };
    });
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.failures).toMatchObject([{ kind: 'timed-out', blocked: true }]);
    expect(outcome.decision).toBe('deny');
  });

  it('DL-3 FA-6 what it put off with a failing rest is ignored', async () => {
    const { runner } = makeRunner({ timeout: 0.02 });
    runner.on('Stop', () => {
      blockEventLoop(60);
      return { async: true, result: Promise.reject(new Error('too late')) };
    });
    const { failures } = await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(failures).toMatchObject([{ kind: 'timed-out' }]);
  });
});

describe('hooks that run side by side', () => {
  it('DL-3 one that begins after another has held up the process has its own time', async () => {
    const { runner } = makeRunner({ timeout: 0.4 });
    runner.on('PreToolUse', { parallel: true }, [
      async () => {
        blockEventLoop(600);
      },
      async () => ({ decision: 'approve' }),
    ]);
    const { results } = await soon(runner.fire('PreToolUse', bash()));
    expect(results.map((result) => result.outcome)).toEqual(['cancelled', 'success']);
    expect(results[1]?.durationMs).toBeLessThan(results[0]?.durationMs ?? 0);
  });
});

describe('clocks', () => {
  it('DL-1 durations come from a clock that never goes back', async () => {
    const { runner } = makeRunner({ timeout: 5 });
    let wall = 2e12;
    const backwards = vi.spyOn(Date, 'now').mockImplementation(() => {
      wall -= 60_000;
      return wall;
    });
    try {
      runner.on('Stop', [() => undefined, async () => turns(1)]);
      const { results } = await soon(runner.fire('Stop', SAMPLES.Stop));
      for (const { durationMs, outcome } of results) {
        expect(outcome).toBe('success');
        expect(durationMs).toBeGreaterThanOrEqual(0);
        expect(durationMs).toBeLessThan(5000);
      }
    } finally {
      backwards.mockRestore();
    }
  });

  it('DL-1 a wall clock that jumps ahead times no hook out', async () => {
    const { runner } = makeRunner({ timeout: 5 });
    let wall = 1e12;
    const ahead = vi.spyOn(Date, 'now').mockImplementation(() => {
      wall += 86_400_000;
      return wall;
    });
    try {
      runner.on('Stop', [() => undefined, async () => turns(1)]);
      expect((await soon(runner.fire('Stop', SAMPLES.Stop))).failures).toEqual([]);
    } finally {
      ahead.mockRestore();
    }
  });
});
