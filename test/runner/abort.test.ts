import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type HookCallback, Runner } from '../../src/index.js';
import {
  bash,
  gate,
  hasSettled,
  makeRunner,
  refusalOf,
  SAMPLES,
  soon,
  turns,
  watchProcess,
} from '../support/runner.js';

watchProcess();

const never = (): Promise<never> => new Promise(() => {});
const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('aborting a fire', () => {
  it('AB-1 before it starts: nothing runs, everything is listed as cancelled', async () => {
    const { runner, record } = makeRunner();
    let calls = 0;
    const hook = () => {
      calls += 1;
    };
    runner.on('PreToolUse', [hook, hook]);
    runner.on('PreToolUse', { parallel: true }, hook);
    const outcome = await runner.fire('PreToolUse', bash(), { signal: AbortSignal.abort() });
    expect(calls).toBe(0);
    expect(outcome.aborted).toBe(true);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.results.map((result) => result.outcome)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(outcome.failures.map((failure) => failure.kind)).toEqual(['aborted', 'aborted', 'aborted']);
    expect(new Set(outcome.results.map((result) => result.hookId)).size).toBe(3);
    expect(record.messages).toEqual([]);
  });

  it('AB-1 while a hook runs: its signal is aborted, it is cancelled, no further one starts', async () => {
    const { runner, record } = makeRunner();
    const controller = new AbortController();
    const started = gate<AbortSignal>();
    let later = 0;
    runner.on('Stop', [
      () => ({ systemMessage: 'before' }),
      (_input, _id, { signal }) => {
        started.open(signal);
        return never();
      },
      () => {
        later += 1;
      },
    ]);
    runner.on('Stop', () => {
      later += 1;
    });
    const fired = runner.fire('Stop', SAMPLES.Stop, { signal: controller.signal });
    const seen = await started.passed;
    expect(seen.aborted).toBe(false);
    controller.abort();
    const outcome = await soon(fired);
    expect(seen.aborted).toBe(true);
    expect(later).toBe(0);
    expect(outcome.aborted).toBe(true);
    expect(outcome.systemMessages).toEqual(['before']);
    expect(outcome.results.map((result) => result.outcome)).toEqual([
      'success',
      'cancelled',
      'cancelled',
      'cancelled',
    ]);
    expect(outcome.results.map(({ hookId }) => record.storyOf(hookId))).toEqual([
      ['started', 'response'],
      ['started', 'response'],
      [],
      [],
    ]);
  });

  it('AB-1 while parallel hooks run: all of them are cancelled, finished ones keep their answers', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    runner.on('PreToolUse', { parallel: true }, [
      never,
      () => ({ decision: 'block', reason: 'seen' }),
      (_input, _id, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ decision: 'approve' }))),
    ]);
    const fired = runner.fire('PreToolUse', bash(), { signal: controller.signal });
    await turns();
    controller.abort();
    const outcome = await soon(fired);
    expect(outcome.results.map((result) => result.outcome)).toEqual(['cancelled', 'success', 'cancelled']);
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'seen', aborted: true });
  });

  it('AB-1 between two hooks: the first one’s answer counts, the second does not start', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    let started = false;
    runner.on('PreToolUse', [
      () => {
        controller.abort();
        return { decision: 'block', reason: 'first' };
      },
      () => {
        started = true;
      },
    ]);
    const outcome = await soon(runner.fire('PreToolUse', bash(), { signal: controller.signal }));
    expect(started).toBe(false);
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'first', aborted: true });
    expect(outcome.results.map((result) => result.outcome)).toEqual(['success', 'cancelled']);
  });

  it('AB-1 a hook that aborts its fire before its first await and then hangs is ended at once', async () => {
    const runner = new Runner({ timeout: 8 });
    const controller = new AbortController();
    let own: AbortSignal | undefined;
    runner.on('Stop', async (_input, _id, { signal }) => {
      own = signal;
      controller.abort();
      await never();
    });
    const fired = runner.fire('Stop', SAMPLES.Stop, { signal: controller.signal });
    expect(await hasSettled(fired)).toBe(true);
    expect((await fired).failures).toMatchObject([{ kind: 'aborted' }]);
    expect(own?.aborted).toBe(true);
  });

  it.each(['while it waits', 'by the hook itself, before its first await'])(
    'AB-1 a late answer of a hook that was ended %s is not the answer of a hook of the next fire',
    async (when) => {
      const { runner } = makeRunner();
      const controller = new AbortController();
      const [late, own] = [gate(), gate()];
      const removeLate = runner.on('PreToolUse', async () => {
        if (when !== 'while it waits') controller.abort();
        await late.passed;
        return { decision: 'deny', reason: 'late' };
      });
      const ended = runner.fire('PreToolUse', bash(), { signal: controller.signal });
      controller.abort();
      expect((await soon(ended)).aborted).toBe(true);
      removeLate();
      runner.on('PreToolUse', async () => {
        await own.passed;
        return { decision: 'approve', reason: 'own' };
      });
      const next = runner.fire('PreToolUse', bash());
      late.open();
      await turns();
      expect(await hasSettled(next)).toBe(false);
      own.open();
      expect(await soon(next)).toMatchObject({ decision: 'allow', reason: 'own' });
    },
  );

  it('AB-1 a parallel sibling that hangs is ended when a later one aborts the fire as it starts', async () => {
    const { runner } = makeRunner({ timeout: 8 });
    const controller = new AbortController();
    runner.on('Stop', { parallel: true }, [never, () => controller.abort()]);
    const fired = runner.fire('Stop', SAMPLES.Stop, { signal: controller.signal });
    expect(await hasSettled(fired)).toBe(true);
    const { results } = await fired;
    expect(results.map((result) => result.outcome)).toEqual(['cancelled', 'success']);
  });

  it('AB-1 an answer that comes after the abort is ignored, a rejection too', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    const late = gate();
    runner.on('PreToolUse', { parallel: true }, [
      async () => {
        await late.passed;
        return { decision: 'block' };
      },
      async () => {
        await late.passed;
        throw new Error('too late');
      },
    ]);
    const fired = runner.fire('PreToolUse', bash(), { signal: controller.signal });
    controller.abort();
    const outcome = await soon(fired);
    late.open();
    await turns();
    expect(outcome.decision).toBeUndefined();
    expect(outcome.failures.map((failure) => failure.kind)).toEqual(['aborted', 'aborted']);
  });

  it('AB-1 an abort does not reach the signal of a hook that has already answered', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    const signals: AbortSignal[] = [];
    const second = gate();
    runner.on('Stop', [
      async (_input, _id, { signal }) => {
        signals.push(signal);
        await null;
      },
      (_input, _id, { signal }) => {
        signals.push(signal);
        second.open();
        return never();
      },
    ]);
    const fired = runner.fire('Stop', SAMPLES.Stop, { signal: controller.signal });
    await second.passed;
    controller.abort();
    await soon(fired);
    expect(signals.map((signal) => signal.aborted)).toEqual([false, true]);
  });

  it('AB-1 an abort after the fire changes nothing', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    runner.on('Stop', () => ({ continue: true }));
    const outcome = await runner.fire('Stop', SAMPLES.Stop, { signal: controller.signal });
    controller.abort();
    expect(outcome.aborted).toBe(false);
    expect(outcome.failures).toEqual([]);
  });

  it('AB-1 a fire without a signal is not aborted by that of another', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    const free = gate();
    runner.on('Stop', () => free.passed);
    const aborted = runner.fire('Stop', SAMPLES.Stop, { signal: controller.signal });
    const other = runner.fire('Stop', SAMPLES.Stop);
    controller.abort();
    expect((await soon(aborted)).aborted).toBe(true);
    expect(await hasSettled(other)).toBe(false);
    free.open();
    expect((await soon(other)).aborted).toBe(false);
  });

  it('AB-1 AbortSignal.timeout ends a fire as well', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', never);
    const outcome = await soon(runner.fire('Stop', SAMPLES.Stop, { signal: AbortSignal.timeout(20) }));
    expect(outcome.aborted).toBe(true);
  });
});

describe('guards that did not run', () => {
  it('FA-10 a guard that was not started because of the abort has failed, and blocks', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { onFailure: 'block', name: 'guard' }, () => ({ decision: 'approve' }));
    const outcome = await runner.fire('PreToolUse', bash(), { signal: AbortSignal.abort() });
    expect(outcome.decision).toBe('deny');
    expect(outcome.reason).toContain('guard');
    expect(outcome.failures).toMatchObject([{ kind: 'aborted', blocked: true }]);
  });

  it('FA-10 a guard that was aborted while it ran blocks, whatever was allowed before', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    runner.on('PreToolUse', () => ({ decision: 'approve' }));
    runner.on('PreToolUse', { onFailure: 'block' }, never);
    const fired = runner.fire('PreToolUse', bash(), { signal: controller.signal });
    await turns();
    controller.abort();
    expect((await soon(fired)).decision).toBe('deny');
  });

  it('FA-10 FA-5 where nothing can be prevented any more it is only reported', async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    runner.on('PostToolUse', () => undefined);
    runner.on('Notification', () => undefined);
    const signal = AbortSignal.abort();
    for (const outcome of [
      await runner.fire('PostToolUse', SAMPLES.PostToolUse, { signal }),
      await runner.fire('Notification', SAMPLES.Notification, { signal }),
    ]) {
      expect(outcome).not.toHaveProperty('decision');
      expect(outcome.failures).toMatchObject([{ kind: 'aborted', blocked: false }]);
    }
  });

  it('FA-10 a guard left out by `continue: false` has not failed: its group ended in order', async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    runner.on('PreToolUse', [() => ({ continue: false }), () => ({ decision: 'block' })]);
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome.failures).toEqual([]);
    expect(outcome.decision).toBeUndefined();
  });
});

describe('a signal shared by many fires', () => {
  it('AB-2 10,000 fires one after another: never more than one listener, none at the end', async () => {
    const runner = new Runner();
    const { signal } = new AbortController();
    let most = 0;
    runner.on('Stop', [
      () => {
        most = Math.max(most, listenersOf(signal));
      },
      async () => ({ continue: true }),
    ]);
    for (let i = 0; i < 10_000; i++) await runner.fire('Stop', SAMPLES.Stop, { signal });
    await turns();
    expect(most).toBe(1);
    expect(listenersOf(signal)).toBe(0);
  });

  it('AB-2 2,000 fires at once: one listener for all, none when all have ended', async () => {
    const runner = new Runner();
    const { signal } = new AbortController();
    const free = gate();
    runner.on('Stop', { parallel: true }, [() => free.passed, () => undefined, async () => undefined]);
    const fires = Array.from({ length: 2000 }, () => runner.fire('Stop', SAMPLES.Stop, { signal }));
    expect(listenersOf(signal)).toBe(1);
    free.open();
    const outcomes = await soon(Promise.all(fires), 'all fires');
    expect(outcomes.every(({ results, aborted }) => results.length === 3 && !aborted)).toBe(true);
    await turns();
    expect(listenersOf(signal)).toBe(0);
  });

  it('AB-2 one abort ends 2,000 fires, and leaves no listener', async () => {
    const runner = new Runner();
    const controller = new AbortController();
    let aborted = 0;
    runner.on('Stop', (_input, _id, { signal }) => {
      signal.addEventListener('abort', () => {
        aborted += 1;
      });
      return never();
    });
    const options = { signal: controller.signal };
    const fires = Array.from({ length: 2000 }, () => runner.fire('Stop', SAMPLES.Stop, options));
    controller.abort();
    const outcomes = await soon(Promise.all(fires), 'all fires');
    expect(aborted).toBe(2000);
    expect(outcomes.every((outcome) => outcome.aborted)).toBe(true);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it('AB-2 the end of one fire does not cut off the others: an abort still reaches them', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    const free = gate();
    runner.on('Stop', () => free.passed);
    runner.on('PreToolUse', never);
    const { signal } = controller;
    const short = runner.fire('Stop', SAMPLES.Stop, { signal });
    const long = runner.fire('PreToolUse', bash(), { signal });
    free.open();
    await soon(short);
    expect(await hasSettled(long)).toBe(false);
    controller.abort();
    expect((await soon(long)).aborted).toBe(true);
  });

  it('AB-2 two runners can share a signal', async () => {
    const controller = new AbortController();
    const first = makeRunner().runner;
    const second = makeRunner().runner;
    first.on('Stop', never);
    second.on('Stop', never);
    const fires = [first, second].map((runner) =>
      runner.fire('Stop', SAMPLES.Stop, { signal: controller.signal }),
    );
    expect(listenersOf(controller.signal)).toBe(1);
    controller.abort();
    for (const outcome of await soon(Promise.all(fires))) expect(outcome.aborted).toBe(true);
  });

  it('AB-2 a refused fire leaves no listener', async () => {
    const { runner } = makeRunner();
    const { signal } = new AbortController();
    runner.on('Stop', () => undefined);
    await refusalOf(() => runner.fire('Stop', {} as never, { signal }));
    await runner.fire('PreToolUse', bash(), { signal });
    await turns();
    expect(listenersOf(signal)).toBe(0);
  });
});

describe('disposing the runner', () => {
  it('AB-3 every later fire and registration is refused with `disposed`', async () => {
    const { runner } = makeRunner();
    const agent = runner.forAgent('a');
    runner.on('Stop', () => undefined);
    await runner.dispose();
    for (const call of [
      () => runner.fire('Stop', SAMPLES.Stop),
      () => runner.fire('PreToolUse', bash()),
      () => agent.fire('Stop', SAMPLES.Stop),
      () => runner.on('Stop', () => undefined),
      () => agent.on('Stop', () => undefined),
      () => runner.forAgent('b').on('Stop', () => undefined),
    ]) {
      const { code, message } = await refusalOf(call);
      expect(code).toBe('disposed');
      expect(message).toContain('disposed');
    }
  });

  it('AB-3 a fire that runs is aborted and settles before the disposal does', async () => {
    const { runner } = makeRunner();
    const log: string[] = [];
    let own: AbortSignal | undefined;
    runner.on('Stop', (_input, _id, { signal }) => {
      own = signal;
      return never();
    });
    const fired = runner.fire('Stop', SAMPLES.Stop).then((outcome) => {
      log.push('fire');
      return outcome;
    });
    await turns();
    await soon(runner.dispose()).then(() => log.push('dispose'));
    expect(log).toEqual(['fire', 'dispose']);
    expect(own?.aborted).toBe(true);
    expect((await fired).aborted).toBe(true);
  });

  it('AB-3 disposing while parallel hooks run ends all of them and starts no next group', async () => {
    const { runner } = makeRunner();
    let next = false;
    runner.on('Stop', { parallel: true }, [never, never, never]);
    runner.on('Stop', () => {
      next = true;
    });
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await turns();
    await soon(runner.dispose());
    const { results } = await soon(fired);
    expect(results.map((result) => result.outcome)).toEqual(Array(4).fill('cancelled'));
    expect(next).toBe(false);
  });

  it('AB-3 disposing twice, also at once, is harmless', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', never);
    void runner.fire('Stop', SAMPLES.Stop);
    await soon(Promise.all([runner.dispose(), runner.dispose()]));
    await soon(runner.dispose());
  });

  it('AB-3 fires that share a signal are ended by the disposal and leave no listener', async () => {
    const { runner } = makeRunner();
    const { signal } = new AbortController();
    runner.on('Stop', never);
    const fires = [1, 2, 3].map(() => runner.fire('Stop', SAMPLES.Stop, { signal }));
    await soon(runner.dispose());
    for (const outcome of await soon(Promise.all(fires))) expect(outcome.aborted).toBe(true);
    await turns();
    expect(listenersOf(signal)).toBe(0);
  });

  it('AB-3 `await using` disposes', async () => {
    let outer: Runner | undefined;
    {
      await using runner = new Runner();
      outer = runner;
      runner.on('Stop', () => undefined);
    }
    const { code } = await refusalOf(() => outer?.fire('Stop', SAMPLES.Stop));
    expect(code).toBe('disposed');
  });

  it('AB-3 Symbol.asyncDispose waits for what runs', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', never);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await soon(runner[Symbol.asyncDispose]());
    expect(await hasSettled(fired)).toBe(true);
  });
});

describe('disposing inside a hook', () => {
  it('AB-4 a hook may dispose its runner and wait for it', async () => {
    const runner = new Runner({ timeout: 8 });
    let later = false;
    runner.on('Stop', async () => {
      await turns(1);
      await runner.dispose();
    });
    runner.on('Stop', () => {
      later = true;
    });
    const outcome = await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(outcome.aborted).toBe(true);
    expect(later).toBe(false);
    expect((await refusalOf(() => runner.fire('Stop', SAMPLES.Stop))).code).toBe('disposed');
  });

  it('AB-4 AB-3 a hook that disposes before its first await ends its own fire too', async () => {
    const runner = new Runner({ timeout: 8 });
    let later = false;
    const disposed = gate();
    runner.on('Stop', async () => {
      await runner.dispose();
      disposed.open();
    });
    runner.on('Stop', () => {
      later = true;
    });
    const outcome = await soon(runner.fire('Stop', SAMPLES.Stop));
    await soon(disposed.passed, 'the disposal');
    expect(later).toBe(false);
    expect(outcome.aborted).toBe(true);
  });

  it('AB-4 AB-3 a plain function that disposes keeps its answer; nothing starts after it', async () => {
    const runner = new Runner({ timeout: 8 });
    let later = false;
    runner.on('PreToolUse', () => {
      void runner.dispose();
      return { decision: 'block' };
    });
    runner.on('PreToolUse', () => {
      later = true;
    });
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(later).toBe(false);
    expect(outcome).toMatchObject({ decision: 'deny', aborted: true });
  });

  it('AB-4 parallel siblings of a hook that disposes are cancelled', async () => {
    const runner = new Runner({ timeout: 8 });
    const disposing: HookCallback<'Stop'> = async () => {
      await turns(1);
      await runner.dispose();
    };
    runner.on('Stop', { parallel: true }, [never, disposing, never]);
    const { results } = await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(results.map((result) => result.outcome)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('AB-4 two hooks may dispose at the same time', async () => {
    const runner = new Runner({ timeout: 8 });
    const dispose = async (): Promise<void> => {
      await turns(1);
      await runner.dispose();
    };
    runner.on('Stop', { parallel: true }, [dispose, dispose]);
    expect((await soon(runner.fire('Stop', SAMPLES.Stop))).aborted).toBe(true);
  });
});
