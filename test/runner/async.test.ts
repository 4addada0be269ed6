import { afterEach, describe, expect, it, vi } from 'vitest';
import { hookline } from '../../src/dialects/hookline/index.js';
import type { Dialect, HookCallback, HookOutcome } from '../../src/index.js';
import {
  bash,
  gate,
  hasSettled,
  makeRunner,
  SAMPLES,
  soon,
  turns,
  untyped,
  watchProcess,
} from '../support/runner.js';

watchProcess();
afterEach(() => void vi.useRealTimers());

/** A dialect in which a fire does not wait for what goes on in the background. */
const impatient: Dialect = {
  ...hookline,
  name: 'impatient',
  async: { waits: false, unitMs: 1, defaultMs: 30_000 },
};

type Answer = { decision?: 'approve' | 'block'; reason?: string; systemMessage?: string; continue?: boolean };

const later =
  (result: Promise<Answer | undefined>, asyncTimeout?: number): HookCallback<'PreToolUse'> =>
  () => ({ async: true, asyncTimeout, result });

describe('a fire that waits', () => {
  it('AS-1 the answer to come is waited for, and the hook is called once', async () => {
    const { runner, record } = makeRunner();
    const rest = gate<Answer>();
    let calls = 0;
    runner.on('PreToolUse', () => {
      calls += 1;
      return { async: true, result: rest.passed };
    });
    const fired = runner.fire('PreToolUse', bash());
    expect(await hasSettled(fired)).toBe(false);
    expect(record.messages.map((message) => message.subtype)).toEqual(['hook_started']);
    rest.open({ decision: 'block', reason: 'found something' });
    const outcome = await soon(fired);
    expect(calls).toBe(1);
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'found something', pending: [], failures: [] });
    expect(outcome.results).toHaveLength(1);
  });

  it('AS-1 the answer is folded in at the hook’s place, whenever it comes', async () => {
    const { runner } = makeRunner();
    const slow = gate<Answer>();
    const quick = gate<Answer>();
    runner.on('PreToolUse', { parallel: true }, [
      later(slow.passed),
      () => ({ decision: 'block', reason: 'second' }),
      later(quick.passed),
    ]);
    const fired = runner.fire('PreToolUse', bash());
    await turns();
    quick.open({ decision: 'block', reason: 'third' });
    await turns();
    slow.open({ decision: 'block', reason: 'first' });
    const outcome = await soon(fired);
    expect(outcome.results.map((result) => result.reason)).toEqual(['first', 'second', 'third']);
    expect(outcome.reason).toBe('first');
  });

  it('AS-1 OR-1 the next sequential hook waits, sees the rewritten input and obeys `continue: false`', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('PreToolUse', [
      async () => {
        await null;
        return {
          async: true,
          result: Promise.resolve({
            hookSpecificOutput: {
              hookEventName: 'PreToolUse' as const,
              updatedInput: { command: 'rewritten' },
            },
          }),
        };
      },
      (input) => void seen.push((input.tool_input as { command: string }).command),
      later(Promise.resolve({ continue: false })),
      () => void seen.push('not reached'),
    ]);
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(seen).toEqual(['rewritten']);
    expect(outcome.continue).toBe(false);
  });

  it.each([undefined, null, {}])('AS-1 FA-2 a result of %j is no opinion', async (answer) => {
    const { runner } = makeRunner({ onFailure: 'block' });
    untyped(runner).on('PreToolUse', () => ({ async: true, result: Promise.resolve(answer) }));
    expect(await soon(runner.fire('PreToolUse', bash()))).toMatchObject({ failures: [], results: [{}] });
  });

  it('AS-1 a result that is there already, or a thenable, counts as well', async () => {
    const { runner } = makeRunner();
    const thenable = Object.defineProperty({}, 'then', {
      value: (resolve: (answer: Answer) => void) => resolve({ systemMessage: 'thenable' }),
    });
    untyped(runner).on('PreToolUse', [
      () => ({ async: true, result: { systemMessage: 'plain' } }),
      () => ({ async: true, result: thenable }),
    ]);
    expect((await soon(runner.fire('PreToolUse', bash()))).systemMessages).toEqual(['plain', 'thenable']);
  });

  it('AS-1 the time until the answer has its own limit, not that of the hook', async () => {
    vi.useFakeTimers();
    const { runner } = makeRunner({ timeout: 1 });
    const rest = gate<Answer>();
    runner.on('PreToolUse', later(rest.passed, 10));
    const fired = runner.fire('PreToolUse', bash());
    await vi.advanceTimersByTimeAsync(9000);
    rest.open({ decision: 'approve' });
    expect(await soon(fired)).toMatchObject({ decision: 'allow', failures: [] });
  });

  it.each([
    ['seconds', 2, 2000],
    ['fractions of a second', 0.0005, 1],
    ['30 seconds when nothing is said', undefined, 30_000],
  ])('AS-1 AS-3 asyncTimeout is in %s', async (_, asyncTimeout, ms) => {
    vi.useFakeTimers();
    const { runner } = makeRunner();
    runner.on('PreToolUse', later(new Promise(() => {}), asyncTimeout));
    const fired = runner.fire('PreToolUse', bash());
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(await hasSettled(fired)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const outcome = await soon(fired);
    expect(outcome.failures).toMatchObject([{ kind: 'timed-out' }]);
    expect(outcome.results).toMatchObject([{ outcome: 'cancelled', durationMs: ms }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('AS-1 an abort ends the waiting', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    runner.on('PreToolUse', { onFailure: 'block' }, later(new Promise(() => {})));
    const fired = runner.fire('PreToolUse', bash(), { signal: controller.signal });
    await turns();
    controller.abort();
    const outcome = await soon(fired);
    expect(outcome).toMatchObject({ aborted: true, decision: 'deny', failures: [{ kind: 'aborted' }] });
  });

  it('AS-1 MS-8 what it tells from the background is sent until its answer is there', async () => {
    const { runner, record } = makeRunner();
    const rest = gate();
    const told = gate();
    runner.on('PreToolUse', (_input, _id, context) => ({
      async: true,
      result: (async () => {
        await told.passed;
        context.progress('half way');
        await rest.passed;
      })(),
    }));
    const fired = runner.fire('PreToolUse', bash());
    await turns();
    told.open();
    await turns();
    rest.open();
    await soon(fired);
    expect(record.messages.map((message) => message.subtype)).toEqual([
      'hook_started',
      'hook_progress',
      'hook_response',
    ]);
  });

  it('AS-3 DL-2 at its asyncTimeout the signal of the hook is aborted', async () => {
    const { runner } = makeRunner();
    let own: AbortSignal | undefined;
    runner.on('PreToolUse', (_input, _id, { signal }) => {
      own = signal;
      return { async: true, asyncTimeout: 0.02, result: new Promise(() => {}) };
    });
    await soon(runner.fire('PreToolUse', bash()));
    expect(own?.aborted).toBe(true);
  });

  it('AS-1 AB-1 an abort reaches the signal of a hook in the background', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    let own: AbortSignal | undefined;
    runner.on('PreToolUse', (_input, _id, { signal }) => {
      own = signal;
      return { async: true, result: new Promise(() => {}) };
    });
    const fired = runner.fire('PreToolUse', bash(), { signal: controller.signal });
    await turns();
    controller.abort();
    await soon(fired);
    expect(own?.aborted).toBe(true);
  });
});

describe('nothing to wait for', () => {
  it.each([
    ['hookline', 'hookline' as const],
    ['a dialect that does not wait', impatient],
  ])('AS-2 `async: true` without a result is no opinion in %s', async (_, dialect) => {
    const { runner } = makeRunner();
    let calls = 0;
    runner.on('PreToolUse', { dialect }, () => {
      calls += 1;
      return { async: true, asyncTimeout: 5 };
    });
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(calls).toBe(1);
    expect(outcome).toMatchObject({ failures: [], pending: [], results: [{ outcome: 'success' }] });
    expect(outcome.decision).toBeUndefined();
    await soon(runner.drain());
  });

  it.each([
    ['hookline', 'hookline' as const],
    ['a dialect that does not wait', impatient],
  ])('AS-9 a guard that goes to the background without a result refuses in %s', async (_, dialect) => {
    const { runner } = makeRunner({ onFailure: 'block' });
    runner.on('PreToolUse', { dialect, name: 'guard' }, () => ({ async: true }));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome).toMatchObject({ decision: 'deny', pending: [], failures: [{ kind: 'invalid-output' }] });
    expect(outcome.reason).toContain('its answer is not awaited');
  });

  it('AS-9 a guard that goes to the background where its answer is not awaited refuses, and its work is ended', async () => {
    const { runner } = makeRunner();
    let signal: AbortSignal | undefined;
    const guard = (_input: unknown, _id: unknown, context: { signal: AbortSignal }) => {
      signal = context.signal;
      return { async: true as const, result: new Promise<undefined>(() => {}) };
    };
    runner.on('PreToolUse', { dialect: impatient, onFailure: 'block' }, guard);
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome).toMatchObject({ decision: 'deny', pending: [] });
    expect(signal?.aborted).toBe(true);
    await soon(runner.drain());
  });

  it('AS-9 where a guard is waited for, it may put itself off', async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    runner.on('PreToolUse', () => ({
      async: true,
      result: Promise.resolve({ decision: 'approve' as const }),
    }));
    expect((await soon(runner.fire('PreToolUse', bash()))).decision).toBe('allow');
  });

  it('AS-9 where nothing can be prevented any more, a hook that is set to block may go on by itself', async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    runner.on('PostToolUse', { dialect: impatient }, () => ({
      async: true,
      result: Promise.resolve(undefined),
    }));
    const outcome = await soon(runner.fire('PostToolUse', SAMPLES.PostToolUse));
    expect(outcome).toMatchObject({ failures: [], pending: [expect.anything()] });
    await soon(runner.drain());
  });

  it('AS-2 `async: false` is an ordinary answer', async () => {
    const { runner } = makeRunner();
    untyped(runner).on('PreToolUse', () => ({ async: false, decision: 'block' }));
    expect((await runner.fire('PreToolUse', bash())).decision).toBe('deny');
  });
});

describe('a rest that is no answer', () => {
  const rests: [string, () => unknown, string][] = [
    ['rejects', () => Promise.reject(new Error('no rest')), 'threw'],
    ['rejects with nothing', () => Promise.reject(), 'threw'],
    ['is a text', () => Promise.resolve('approve'), 'invalid-output'],
    ['is a list', () => Promise.resolve([]), 'invalid-output'],
    ['has a wrong type', () => Promise.resolve({ decision: 1 }), 'invalid-output'],
    [
      'is of another event',
      () => Promise.resolve({ hookSpecificOutput: { hookEventName: 'Stop' } }),
      'invalid-output',
    ],
    ['holds a Map', () => Promise.resolve({ extra: new Map() }), 'invalid-output'],
    [
      'is a thenable whose `then` throws',
      () =>
        Object.defineProperty({}, 'then', {
          value: () => {
            throw new Error('no');
          },
        }),
      'threw',
    ],
    ['comes too late', () => new Promise(() => {}), 'timed-out'],
  ];

  it.each(rests)('AS-3 a result that %s is a failure of that hook only', async (_, make, kind) => {
    const { runner } = makeRunner();
    untyped(runner).on('PreToolUse', () => ({ async: true, asyncTimeout: 0.02, result: make() }));
    runner.on('PreToolUse', () => ({ decision: 'approve' }));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.failures).toMatchObject([{ kind, blocked: false }]);
    expect(outcome.decision).toBe('allow');
  });

  it.each(rests)('AS-3 FA-4 a result that %s blocks as that of a guard', async (_, make, kind) => {
    const { runner } = makeRunner({ onFailure: 'block' });
    untyped(runner).on('PreToolUse', () => ({ async: true, asyncTimeout: 0.02, result: make() }));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.failures).toMatchObject([{ kind, blocked: true }]);
    expect(outcome.decision).toBe('deny');
  });

  it('AS-3 a rest that fails after its time is not an unhandled rejection', async () => {
    const { runner } = makeRunner();
    const rest = gate<Answer>();
    runner.on('PreToolUse', later(rest.passed, 0.02));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    rest.fail(new Error('much later'));
    await turns();
    expect(outcome.failures).toMatchObject([{ kind: 'timed-out' }]);
  });

  it('AS-1 a rest that is async again is not waited for a second time', async () => {
    const { runner } = makeRunner();
    let calls = 0;
    const again = { async: true, result: Promise.reject(new Error('nobody listens')) };
    untyped(runner).on('PreToolUse', () => {
      calls += 1;
      return { async: true, result: Promise.resolve(again) };
    });
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(calls).toBe(1);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.pending).toEqual([]);
    await soon(runner.drain());
  });
});

describe('a fire that does not wait', () => {
  it('AS-4 the hook is pending; its completion and its response come when it ends', async () => {
    const { runner, record } = makeRunner();
    const rest = gate<Answer>();
    let calls = 0;
    runner.on('PreToolUse', { dialect: impatient, name: 'indexer' }, () => {
      calls += 1;
      return { async: true, result: rest.passed };
    });
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.results).toMatchObject([{ outcome: 'success', name: 'indexer' }]);
    const [pending] = outcome.pending;
    expect(pending).toMatchObject({ hookId: outcome.results[0]?.hookId, name: 'indexer' });
    expect(record.messages.map((message) => message.subtype)).toEqual(['hook_started']);
    rest.open({ systemMessage: 'done' });
    expect(await pending?.completion).toMatchObject({ outcome: 'success', systemMessage: 'done' });
    expect(record.messages.at(-1)).toMatchObject({
      subtype: 'hook_response',
      hook_id: pending?.hookId,
      outcome: 'success',
    });
    expect(calls).toBe(1);
  });

  it('AS-4 what comes later changes nothing in the outcome', async () => {
    const { runner } = makeRunner();
    const rest = gate<Answer>();
    runner.on('PreToolUse', { dialect: impatient }, later(rest.passed));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    const before = JSON.stringify(outcome);
    rest.open({ decision: 'block' });
    await soon(runner.drain());
    expect(JSON.stringify(outcome)).toBe(before);
    expect(outcome.decision).toBeUndefined();
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('no')), { outcome: 'error', failure: { kind: 'threw' } }],
    ['is invalid', () => Promise.resolve(1), { outcome: 'error', failure: { kind: 'invalid-output' } }],
    ['is late', () => new Promise(() => {}), { outcome: 'cancelled', failure: { kind: 'timed-out' } }],
  ])('AS-3 AS-4 a rest that %s: the completion says so and never rejects', async (_, make, expected) => {
    const { runner, record } = makeRunner();
    untyped(runner).on('PreToolUse', { dialect: impatient }, () => ({
      async: true,
      asyncTimeout: 20,
      result: make(),
    }));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.failures).toEqual([]);
    expect(await soon(outcome.pending[0]?.completion ?? Promise.reject())).toMatchObject(expected);
    expect(record.messages.at(-1)).toMatchObject({ outcome: expected.outcome });
  });

  it('AS-4 an abort of the fire does not reach a hook that has outlived it', async () => {
    const { runner } = makeRunner();
    const controller = new AbortController();
    const rest = gate<Answer>();
    runner.on('PreToolUse', { dialect: impatient }, later(rest.passed));
    const outcome = await soon(runner.fire('PreToolUse', bash(), { signal: controller.signal }));
    controller.abort();
    await turns();
    rest.open({ systemMessage: 'still done' });
    expect(await outcome.pending[0]?.completion).toMatchObject({ systemMessage: 'still done' });
  });
});

describe('an answer that comes after its fire went on', () => {
  const context = 'three tests failed';
  const telling: HookCallback<'PreToolUse'> = () => ({
    async: true,
    result: Promise.resolve({
      decision: 'block',
      continue: false,
      systemMessage: 'checked',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        additionalContext: context,
        permissionDecision: 'deny',
        updatedInput: { command: 'rm' },
      },
    } as const),
  });

  it('AS-7 can only tell: its texts are handed over once, by takeLate', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { dialect: impatient, name: 'checker' }, telling);
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    await soon(runner.drain());
    await turns();
    expect(outcome.additionalContext).toEqual([]);
    expect(runner.takeLate()).toEqual([
      {
        hookId: outcome.results[0]?.hookId,
        name: 'checker',
        event: 'PreToolUse',
        agentId: undefined,
        additionalContext: context,
        systemMessage: 'checked',
      },
    ]);
    expect(runner.takeLate()).toEqual([]);
  });

  it('AS-7 never decides, stops or rewrites', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { dialect: impatient }, telling);
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    const late = await soon(outcome.pending[0]?.completion ?? Promise.reject());
    for (const field of ['decision', 'continue', 'hookSpecificOutput', 'reason']) {
      expect(late).not.toHaveProperty(field);
    }
    expect(outcome.decision).toBeUndefined();
    expect(outcome.updatedInput).toBeUndefined();
  });

  it('AS-7 a hook that fails in the background has blocked nothing, and does not say so', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { dialect: impatient }, () => ({
      async: true,
      result: Promise.reject(new Error('no')),
    }));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    const late = await soon(outcome.pending[0]?.completion ?? Promise.reject());
    expect(late).toMatchObject({ outcome: 'error', failure: { kind: 'threw', blocked: false } });
    expect(late).not.toHaveProperty('decision');
  });

  it('AS-7 an agent takes its own late answers and leaves those of others', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { dialect: impatient }, telling);
    for (const id of ['a', 'b', 'a']) await soon(runner.forAgent(id).fire('PreToolUse', bash()));
    await soon(runner.drain());
    await turns();
    expect(runner.takeLate('a').map((answer) => answer.agentId)).toEqual(['a', 'a']);
    expect(runner.takeLate('a')).toEqual([]);
    expect(runner.takeLate().map((answer) => answer.agentId)).toEqual(['b']);
  });

  it('AS-7 on events whose late answers do not count nothing is handed over', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', { dialect: impatient }, () => ({
      async: true,
      result: Promise.resolve({ systemMessage: 'too late' }),
    }));
    await soon(runner.fire('Stop', SAMPLES.Stop));
    await soon(runner.drain());
    await turns();
    expect(runner.takeLate()).toEqual([]);
  });

  it('AS-7 where a fire waits, nothing is late', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', telling);
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.additionalContext).toEqual([context]);
    expect(runner.takeLate()).toEqual([]);
  });
});

describe('how many are in the background', () => {
  it('AS-5 a further one holds up its own fire until there is room, in order', async () => {
    const { runner } = makeRunner({ maxBackground: 2 });
    const rests = [1, 2, 3, 4].map(() => gate<Answer>());
    let next = 0;
    runner.on('Stop', { dialect: impatient }, () => ({ async: true, result: rests[next++]?.passed }));
    const fires: Promise<HookOutcome<'Stop'>>[] = [];
    for (let i = 0; i < 4; i++) {
      fires.push(runner.fire('Stop', SAMPLES.Stop));
      await turns();
    }
    const settled = () => Promise.all(fires.map(hasSettled));
    expect(await settled()).toEqual([true, true, false, false]);
    rests[1]?.open({});
    expect(await settled()).toEqual([true, true, true, false]);
    rests[0]?.open({});
    expect(await settled()).toEqual([true, true, true, true]);
    for (const rest of rests) rest.open({});
    await soon(runner.drain());
  });

  it('AS-5 fires that wait for room do not hold up hooks that need none', async () => {
    const { runner } = makeRunner({ maxBackground: 1 });
    runner.on('PreToolUse', { dialect: impatient }, later(new Promise(() => {})));
    runner.on('Stop', () => ({ continue: true }));
    await soon(runner.fire('PreToolUse', bash()));
    const held = runner.fire('PreToolUse', bash());
    expect(await hasSettled(held)).toBe(false);
    expect((await soon(runner.fire('Stop', SAMPLES.Stop))).continue).toBe(true);
  });

  it('AS-5 the limit also holds for hooks that go to the background at the same moment', async () => {
    const { runner } = makeRunner({ maxBackground: 1 });
    const rests = [gate<Answer>(), gate<Answer>()];
    runner.on(
      'PreToolUse',
      { dialect: impatient, parallel: true },
      rests.map((rest) => later(rest.passed)),
    );
    const fired = runner.fire('PreToolUse', bash());
    expect(await hasSettled(fired)).toBe(false);
    rests[0]?.open({});
    rests[1]?.open({});
    expect((await soon(fired)).pending).toHaveLength(2);
  });

  it('AS-5 AB-1 an abort also ends a fire that waits for room', async () => {
    const { runner } = makeRunner({ maxBackground: 1 });
    const controller = new AbortController();
    runner.on('Stop', { dialect: impatient }, () => ({ async: true, result: new Promise(() => {}) }));
    await soon(runner.fire('Stop', SAMPLES.Stop));
    const held = runner.fire('Stop', SAMPLES.Stop, { signal: controller.signal });
    expect(await hasSettled(held)).toBe(false);
    controller.abort();
    expect(await hasSettled(held)).toBe(true);
    expect((await held).aborted).toBe(true);
  });

  it('AS-5 one hundred at once all come through', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', () => ({ async: true, result: turns(1).then(() => ({ continue: true })) }));
    const fires = Array.from({ length: 100 }, () => runner.fire('Stop', SAMPLES.Stop));
    const outcomes = await soon(Promise.all(fires), 'all fires');
    expect(outcomes.every((outcome) => outcome.continue === true)).toBe(true);
    await soon(runner.drain());
  });
});

describe('the end of the background', () => {
  it('AS-6 drain waits for all of them, also for those that come while it waits', async () => {
    const { runner } = makeRunner();
    const [first, second] = [gate<Answer>(), gate<Answer>()];
    let next = 0;
    runner.on('Stop', { dialect: impatient }, () => ({
      async: true,
      result: [first, second][next++]?.passed,
    }));
    await soon(runner.fire('Stop', SAMPLES.Stop));
    const drained = runner.drain();
    await soon(runner.fire('Stop', SAMPLES.Stop));
    first.open({});
    expect(await hasSettled(drained)).toBe(false);
    second.open({});
    await soon(drained);
  });

  it('AS-6 drain has nothing to wait for when nothing is in the background', async () => {
    const { runner } = makeRunner();
    await soon(runner.drain());
    runner.on('Stop', () => new Promise(() => {}));
    void runner.fire('Stop', SAMPLES.Stop);
    await soon(runner.drain());
  });

  it('AS-6 a failing rest does not make drain reject', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', { dialect: impatient }, () => ({
      async: true,
      result: Promise.reject(new Error('no')),
    }));
    await soon(runner.fire('Stop', SAMPLES.Stop));
    await soon(runner.drain());
  });

  it('AS-6 dispose ends all of them as cancelled, with their responses', async () => {
    const { runner, record } = makeRunner();
    runner.on('Stop', { dialect: impatient, parallel: true }, [
      () => ({ async: true, result: new Promise(() => {}) }),
      () => ({ async: true, result: new Promise(() => {}) }),
    ]);
    const { pending } = await soon(runner.fire('Stop', SAMPLES.Stop));
    await soon(runner.dispose());
    for (const { completion } of pending) {
      expect(await soon(completion)).toMatchObject({ outcome: 'cancelled', failure: { kind: 'aborted' } });
    }
    const responses = record.messages.filter((message) => message.subtype === 'hook_response');
    expect(responses.map((response) => response.outcome)).toEqual(['cancelled', 'cancelled']);
  });

  it('AS-6 dispose also ends fires that wait for room', async () => {
    const { runner } = makeRunner({ maxBackground: 1 });
    runner.on('Stop', { dialect: impatient }, () => ({ async: true, result: new Promise(() => {}) }));
    const fires = [1, 2, 3].map(() => runner.fire('Stop', SAMPLES.Stop));
    await turns();
    await soon(runner.dispose());
    await soon(Promise.all(fires));
  });

  it('AS-6 dispose aborts the signal of a hook in the background', async () => {
    const { runner } = makeRunner();
    let own: AbortSignal | undefined;
    runner.on('Stop', { dialect: impatient }, (_input, _id, { signal }) => {
      own = signal;
      return { async: true, result: new Promise(() => {}) };
    });
    await soon(runner.fire('Stop', SAMPLES.Stop));
    expect(own?.aborted).toBe(false);
    await soon(runner.dispose());
    expect(own?.aborted).toBe(true);
  });
});

it('AS-8 a guard that decides beside "later", or answers async twice, has failed', async () => {
  const { runner } = makeRunner({ onFailure: 'block' });
  const hooks = [
    () => ({ async: true, decision: 'block' }),
    () => ({ async: true, result: Promise.resolve({ async: true }) }),
    () => ({ async: true, continue: false, result: Promise.reject(new Error('never heard')) }),
  ];
  for (const hook of hooks) {
    const remove = runner.on('PreToolUse', hook as never);
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome).toMatchObject({
      decision: 'deny',
      failures: [{ kind: 'invalid-output', blocked: true }],
    });
    remove();
  }
});
