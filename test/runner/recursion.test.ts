/** Hooks that fire events: nested as deep as they may be, wherever they wait, and never taken for what only overlaps. */
import { describe, expect, it } from 'vitest';
import { enterFire, leaveFire, nextDepth } from '../../src/handlers/depth.js';
import { type HookError, Runner } from '../../src/index.js';
import { bash, gate, makeRunner, refusalOf, SAMPLES, soon, turns, watchProcess } from '../support/runner.js';

watchProcess();

/** Every way to put something off. */
const WAITS: Readonly<Record<string, <T>(then: () => Promise<T>) => Promise<T>>> = {
  'an await': async (then) => {
    await null;
    return then();
  },
  'a microtask': (then) => new Promise((resolve) => queueMicrotask(() => resolve(then()))),
  'a tick': (then) => new Promise((resolve) => process.nextTick(() => resolve(then()))),
  'an immediate': (then) => new Promise((resolve) => setImmediate(() => resolve(then()))),
  'a timer': (then) => new Promise((resolve) => setTimeout(() => resolve(then()), 1)),
};

/** Starts them in as many runs of code, none of them nested in another. */
async function oneByOne<T>(count: number, start: () => Promise<T>): Promise<Promise<T>[]> {
  const all: Promise<T>[] = [];
  for (let i = 0; i < count; i++) {
    await null;
    all.push(start());
  }
  return all;
}

describe('hooks that fire events', () => {
  it('RC-1 a nesting of three works', async () => {
    const { runner } = makeRunner();
    const log: string[] = [];
    runner.on('PreToolUse', async () => {
      const inner = await runner.fire('Notification', SAMPLES.Notification);
      log.push(`tool saw ${inner.systemMessages}`);
      return { systemMessage: 'tool' };
    });
    runner.on('Notification', async () => {
      const inner = await runner.fire('Stop', SAMPLES.Stop);
      log.push(`notification saw ${inner.systemMessages}`);
      return { systemMessage: 'notification' };
    });
    runner.on('Stop', () => ({ systemMessage: 'stop' }));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.failures).toEqual([]);
    expect(log).toEqual(['notification saw stop', 'tool saw notification']);
  });

  it('RC-1 a hook that fires its own event is refused in the ninth level; the hooks around it end normally', async () => {
    const { runner } = makeRunner();
    let calls = 0;
    const codes: unknown[] = [];
    runner.on('Stop', async () => {
      calls += 1;
      await runner.fire('Stop', SAMPLES.Stop).catch((error: HookError) => codes.push(error.code));
      return { systemMessage: 'done' };
    });
    const outcome = await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(calls).toBe(8);
    expect(codes).toEqual(['recursion_limit']);
    expect(outcome.failures).toEqual([]);
    expect(outcome.systemMessages).toEqual(['done']);
  });

  it('RC-1 a refusal that a hook does not catch is the failure of the innermost hook only', async () => {
    const { runner } = makeRunner();
    const inner: number[] = [];
    runner.on('Stop', async () => {
      inner.push((await runner.fire('Stop', SAMPLES.Stop)).failures.length);
    });
    const outcome = await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(outcome.failures).toEqual([]);
    expect(inner).toEqual([1, 0, 0, 0, 0, 0, 0]);
  });

  it('RC-1 fires that are not awaited are counted before the first await, and belong to no fire behind one', async () => {
    const count = async (delayed: boolean): Promise<number> => {
      const { runner } = makeRunner();
      let calls = 0;
      const last = new Promise<void>((resolve) => {
        runner.on('Stop', async () => {
          calls += 1;
          if (delayed) await null;
          if (calls === 20) resolve();
          else void runner.fire('Stop', SAMPLES.Stop).catch(() => resolve());
        });
      });
      await soon(runner.fire('Stop', SAMPLES.Stop));
      await soon(last);
      return calls;
    };
    expect(await count(false)).toBe(8);
    expect(await count(true)).toBe(20);
  });

  it('RC-1 the refusal says what to look for', async () => {
    const { runner } = makeRunner({ maxDepth: 1 });
    let message = '';
    runner.on('Stop', async () => {
      message = (await refusalOf(() => runner.fire('Stop', SAMPLES.Stop))).message;
    });
    await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(message).toContain('Stop');
    expect(message).toContain('maxDepth');
  });

  it.each([1, 3, 20])('RC-1 maxDepth %i allows exactly so many levels', async (maxDepth) => {
    const { runner } = makeRunner({ maxDepth });
    let calls = 0;
    runner.on('Stop', async () => {
      calls += 1;
      await runner.fire('Stop', SAMPLES.Stop).catch(() => undefined);
    });
    await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(calls).toBe(maxDepth);
  });

  it('RC-1 two runners that fire each other are refused too', async () => {
    const one = makeRunner().runner;
    const two = makeRunner().runner;
    let calls = 0;
    const codes: unknown[] = [];
    const note = (error: HookError): void => void codes.push(error.code);
    one.on('Stop', async () => {
      calls += 1;
      await two.fire('Stop', SAMPLES.Stop).catch(note);
    });
    two.on('Stop', async () => {
      calls += 1;
      await one.fire('Stop', SAMPLES.Stop).catch(note);
    });
    await soon(one.fire('Stop', SAMPLES.Stop));
    expect(calls).toBe(8);
    expect(codes).toEqual(['recursion_limit']);
  });

  it.each([1, 2, 3, 4, 5, 8, 20])(
    'RC-1 maxDepth %i allows exactly so many levels behind an await, too',
    async (maxDepth) => {
      for (const [how, wait] of Object.entries(WAITS)) {
        const runner = new Runner({ maxDepth });
        let calls = 0;
        const codes: unknown[] = [];
        runner.on('Stop', async () => {
          calls += 1;
          await wait(() => runner.fire('Stop', SAMPLES.Stop)).catch((error: HookError) =>
            codes.push(error.code),
          );
        });
        const outcome = await soon(runner.fire('Stop', SAMPLES.Stop), `the recursion behind ${how}`);
        expect([how, calls, codes, outcome.failures]).toEqual([how, maxDepth, ['recursion_limit'], []]);
      }
    },
  );

  it.each([8, 20])(
    'RC-1 levels before and behind an await are counted together, up to %i',
    async (maxDepth) => {
      const runner = new Runner({ maxDepth });
      let calls = 0;
      runner.on('Stop', async () => {
        calls += 1;
        if (calls % 3 === 0) await null;
        await runner.fire('Stop', SAMPLES.Stop).catch(() => undefined);
      });
      await soon(runner.fire('Stop', SAMPLES.Stop), 'the recursion');
      expect(calls).toBe(maxDepth);
    },
  );

  it('RC-1 two runners that fire each other behind an await come to an end', async () => {
    const one = new Runner();
    const two = new Runner();
    let calls = 0;
    let refused = 0;
    const fireOther = (other: Runner) => async () => {
      calls += 1;
      await turns(1);
      await other.fire('Stop', SAMPLES.Stop).catch(() => {
        refused += 1;
      });
    };
    one.on('Stop', fireOther(two));
    two.on('Stop', fireOther(one));
    await soon(one.fire('Stop', SAMPLES.Stop), 'the recursion');
    expect([calls, refused]).toEqual([8, 1]);
  });

  it('RC-1 a recursion that doubles at every level comes to an end', async () => {
    const runner = new Runner({ maxDepth: 3 });
    let calls = 0;
    runner.on('Stop', async () => {
      calls += 1;
      await null;
      await Promise.allSettled([runner.fire('Stop', SAMPLES.Stop), runner.fire('Stop', SAMPLES.Stop)]);
    });
    await soon(runner.fire('Stop', SAMPLES.Stop), 'the recursion');
    expect(calls).toBe(1 + 2 + 4);
  });

  it('RC-1 after a run-away has ended, honest nesting works again', async () => {
    const runner = new Runner();
    let runAway = true;
    const depths: number[] = [];
    runner.on('Stop', async () => {
      await null;
      if (runAway) await runner.fire('Stop', SAMPLES.Stop).catch(() => undefined);
    });
    await soon(runner.fire('Stop', SAMPLES.Stop), 'the recursion');
    runAway = false;
    runner.on('PreToolUse', async () => {
      await null;
      depths.push((await runner.fire('Stop', SAMPLES.Stop)).results.length);
    });
    for (let i = 0; i < 20; i++) await runner.fire('PreToolUse', bash());
    expect(depths).toEqual(Array(20).fill(1));
  });

  it('RC-1 600 fires at once are not refused, nor what their hooks fire', async () => {
    const runner = new Runner();
    const free = gate();
    runner.on('PreToolUse', async () => {
      await free.passed;
      await runner.fire('Notification', SAMPLES.Notification);
    });
    runner.on('Notification', async () => {
      await null;
      await runner.fire('Stop', SAMPLES.Stop);
    });
    runner.on('Stop', async () => ({ continue: true }));
    const fires = Array.from({ length: 600 }, () => runner.fire('PreToolUse', bash()));
    await turns();
    free.open();
    const outcomes = await soon(Promise.all(fires), 'all fires');
    expect(outcomes.flatMap((outcome) => outcome.failures)).toEqual([]);
  });

  it('RC-1 a recursion that begins inside many fires at once comes to an end', async () => {
    const runner = new Runner({ maxDepth: 3 });
    const free = gate();
    let calls = 0;
    runner.on('Stop', async () => {
      calls += 1;
      await free.passed;
      await runner.fire('Stop', SAMPLES.Stop).catch(() => undefined);
    });
    const fires = Array.from({ length: 1000 }, () => runner.fire('Stop', SAMPLES.Stop));
    await turns();
    free.open();
    await soon(Promise.all(fires), 'the recursion');
    expect(calls).toBe(3000);
  });

  it('RC-1 a recursion among a thousand fires that only overlap comes to an end', async () => {
    const runner = new Runner();
    const free = gate();
    let calls = 0;
    runner.on('PreToolUse', () => free.passed);
    runner.on('Stop', async () => {
      calls += 1;
      await null;
      await runner.fire('Stop', SAMPLES.Stop).catch(() => undefined);
    });
    const fires = await oneByOne(1000, () => runner.fire('PreToolUse', bash()));
    await soon(runner.fire('Stop', SAMPLES.Stop), 'the recursion');
    free.open();
    await Promise.all(fires);
    expect(calls).toBeGreaterThan(3);
    expect(calls).toBeLessThanOrEqual(8);
  });

  it.each([1, 2, 3, 8])(
    'RC-1 maxDepth %i refuses none of a thousand fires that only overlap',
    async (maxDepth) => {
      const runner = new Runner({ maxDepth });
      const free = gate();
      runner.on('PreToolUse', () => free.passed);
      const fires = await oneByOne(1000, () => runner.fire('PreToolUse', bash()));
      free.open();
      const outcomes = await soon(Promise.all(fires), 'all fires');
      expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
    },
  );

  it('RC-1 nor what is nested three deep in them', async () => {
    const runner = new Runner();
    const free = gate();
    const then = (event: 'Notification' | 'Stop' | 'Setup') => async () => {
      await null;
      expect((await runner.fire(event as 'Stop', SAMPLES[event] as never)).failures).toEqual([]);
    };
    runner.on('PreToolUse', async () => {
      await free.passed;
      await then('Notification')();
    });
    runner.on('Notification', then('Stop'));
    runner.on('Stop', then('Setup'));
    runner.on('Setup', async () => ({ continue: true }));
    const fires = await oneByOne(1000, () => runner.fire('PreToolUse', bash()));
    free.open();
    const outcomes = await soon(Promise.all(fires), 'all fires');
    expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
  });

  it('RC-1 a burst of fires needs no storage, so that it costs no more than its fires', () => {
    const batches = Array.from({ length: 100 }, () => enterFire(nextDepth(8), 8));
    expect(batches).not.toContain(undefined);
    for (const batch of batches) leaveFire(batch);
    expect(nextDepth(8)).toBe(1);
  });

  it('RC-1 what a hook has put off does not count as nested once all fires have ended', async () => {
    const runner = new Runner({ maxDepth: 1 });
    const later = gate<number>();
    runner.on('Stop', async () => undefined);
    runner.on('PreToolUse', async () => {
      setTimeout(() => later.open(1), 1);
      // A part of the program that lives on, and was started by a hook.
      void later.passed.then(() => ended.open(runner.fire('Stop', SAMPLES.Stop)));
    });
    const ended = gate<Promise<{ readonly results: readonly unknown[] }>>();
    await runner.fire('PreToolUse', bash());
    expect((await soon(ended.passed)).results).toHaveLength(1);
  });

  it('RC-1 a long row of fires inside one hook is not deep', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', async () => ({ continue: true }));
    runner.on('PreToolUse', async () => {
      for (let i = 0; i < 50; i++) await runner.fire('Stop', SAMPLES.Stop);
    });
    expect((await soon(runner.fire('PreToolUse', bash()))).failures).toEqual([]);
  });
});
