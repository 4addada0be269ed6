/** The stages of a fire together: what only shows when they meet. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HookOutcome, type HookOutput, Runner } from '../../../src/index.js';

type Answer = HookOutput<'PreToolUse'>;
const INPUT = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'use-1' };

/** Without what differs between any two runs. */
const meaning = (outcome: HookOutcome<'PreToolUse'>) =>
  JSON.parse(
    JSON.stringify(outcome, (key, value) => (key === 'durationMs' || key === 'hookId' ? undefined : value)),
  );

const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.constant({}),
  fc.record({
    decision: fc.constantFrom('approve' as const, 'block' as const),
    reason: fc.string({ maxLength: 3 }),
  }),
  fc.record({
    continue: fc.boolean(),
    stopReason: fc.string({ maxLength: 3 }),
    systemMessage: fc.string({ maxLength: 3 }),
  }),
  fc.nat(9).map((n) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse' as const,
      updatedInput: { n },
      additionalContext: `${n}`,
    },
  })),
);

describe('hooks that run in parallel', () => {
  it('OR-2 ME-9 the outcome depends on the order of the plan, never on who finishes first', async () => {
    const finishing = fc
      .array(answer, { minLength: 2, maxLength: 5 })
      .chain((answers) =>
        fc.tuple(
          fc.constant(answers),
          fc.shuffledSubarray([...answers.keys()], { minLength: answers.length }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(finishing, async ([answers, order]) => {
        const outcomes = await Promise.all(
          [answers.map((_, i) => i), order].map((finish) => run(answers, finish)),
        );
        expect(meaning(outcomes[1] as never)).toEqual(meaning(outcomes[0] as never));
      }),
      { numRuns: 60 },
    );

    /** All hooks have started before the first one ends; then they end one by one, in the given order. */
    async function run(
      answers: readonly Answer[],
      finish: readonly number[],
    ): Promise<HookOutcome<'PreToolUse'>> {
      const gates = answers.map(gate);
      const runner = new Runner();
      runner.on(
        'PreToolUse',
        { parallel: true },
        answers.map((each, i) => ({
          type: 'callback' as const,
          name: `hook-${i}`,
          callback: async () => {
            await gates[i]?.promise;
            return each;
          },
        })),
      );
      const outcome = runner.fire('PreToolUse', INPUT);
      for (const i of finish) {
        gates[i]?.resolve();
        await Promise.resolve();
      }
      return outcome;
    }
  });
});

function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('answers that fight back', () => {
  const fire = async (hook: () => unknown) => {
    const runner = new Runner({ onFailure: 'block', timeout: 5 });
    runner.on('PreToolUse', hook as () => undefined);
    return runner.fire('PreToolUse', INPUT);
  };
  const failsClosed = { decision: 'deny', failures: [{ blocked: true }] };

  it('FA-6 a proxy that revokes itself when it is looked at is a failure of its hook', async () => {
    const hook = () => {
      const { proxy, revoke } = Proxy.revocable(
        {},
        {
          get: () => {
            revoke();
          },
        },
      );
      return proxy;
    };
    expect(await fire(hook)).toMatchObject(failsClosed);
  });

  it('FA-6 a promise whose then throws is a failure of its hook', async () => {
    const hook = () =>
      Object.assign(Promise.resolve(), {
        // biome-ignore lint/suspicious/noThenProperty: what a hostile promise does
        then: () => {
          throw new Error('trap');
        },
      });
    expect(await fire(hook)).toMatchObject(failsClosed);
  });

  it('FA-6 a promise that calls back at once, and twice, is still an answer', async () => {
    const seen: string[] = [];
    const runner = new Runner({ timeout: 5 });
    const hasty = () =>
      Object.assign(Promise.resolve(), {
        // biome-ignore lint/suspicious/noThenProperty: what a hostile promise does
        then: (onAnswer: (answer: Answer) => void) => {
          onAnswer({ systemMessage: 'first' });
          onAnswer({ systemMessage: 'second' });
        },
      });
    runner.on('PreToolUse', [
      hasty as unknown as () => undefined,
      () => {
        seen.push('after');
      },
    ]);
    const { systemMessages, results } = await runner.fire('PreToolUse', INPUT);
    expect(systemMessages).toEqual(['first']);
    expect(results).toHaveLength(2);
    expect(seen).toEqual(['after']);
  });

  it('FA-6 an empty answer is no opinion; an instance of a class is no answer', async () => {
    class Empty {}
    expect(await fire(() => ({}))).toMatchObject({ failures: [] });
    expect(await fire(() => new Empty())).toMatchObject(failsClosed);
    expect(await fire(() => new Map())).toMatchObject(failsClosed);
  });

  it('FA-6 a promise whose constructor cannot be read is a failure of its hook', async () => {
    const hook = () =>
      Object.defineProperty(Promise.resolve(), 'constructor', {
        get: () => {
          throw new Error('trap');
        },
      });
    expect(await fire(hook)).toMatchObject(failsClosed);
  });

  it('FA-6 a getter that throws a revoked proxy is a failure of its hook', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hook = () => ({
      get decision() {
        throw proxy;
      },
    });
    expect(await fire(hook)).toMatchObject(failsClosed);
  });

  it('FA-6 a fire never rejects for a key that its event does not know', async () => {
    const runner = new Runner();
    runner.on('SessionEnd', (() => ({
      hookSpecificOutput: { hookEventName: 'SessionEnd', additionalContext: null },
    })) as never);
    await expect(runner.fire('SessionEnd', { reason: 'other' })).resolves.toMatchObject({
      additionalContext: [],
    });
  });

  it('FA-6 a fire never rejects for a key that its event does not know, whatever it holds', async () => {
    const runner = new Runner();
    runner.on('PostToolUse', (() => ({
      hookSpecificOutput: { hookEventName: 'PostToolUse', permissionDecision: { toString: 1 } },
    })) as never);
    const outcome = await runner.fire('PostToolUse', { ...INPUT, tool_response: 'ok' });
    expect(outcome).not.toHaveProperty('decision');
  });
});

describe('what a hook does to its input', () => {
  it('IS-1 an input with a part that cannot even be looked at fails the hooks, not the fire', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const runner = new Runner();
    let calls = 0;
    runner.on('PreToolUse', () => {
      calls += 1;
    });
    const outcome = await runner.fire('PreToolUse', { ...INPUT, tool_input: proxy });
    expect(outcome.failures).toMatchObject([{ kind: 'threw' }]);
    expect(calls).toBe(0);
  });

  it('IS-1 IS-2 changes are its own until it returns them', async () => {
    const tool_input = { command: 'rm', options: { force: true, list: [1] } };
    const seen: unknown[] = [];
    const runner = new Runner();
    runner.on('PreToolUse', [
      (input) => {
        const own = input.tool_input as typeof tool_input;
        own.options.list.push(2);
        own.options.force = false;
      },
      (input) => {
        seen.push(JSON.parse(JSON.stringify(input.tool_input)));
        const own = input.tool_input as typeof tool_input;
        own.options.force = false;
        return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: own } };
      },
      (input) => {
        seen.push(JSON.parse(JSON.stringify(input.tool_input)));
      },
    ]);
    const outcome = await runner.fire('PreToolUse', { ...INPUT, tool_input });
    const original = { command: 'rm', options: { force: true, list: [1] } };
    const rewritten = { command: 'rm', options: { force: false, list: [1] } };
    expect(seen).toEqual([original, rewritten]);
    expect(outcome.updatedInput).toEqual(rewritten);
    expect(tool_input).toEqual(original);
  });

  it('IS-1 a frozen input may be fired, and hooks may change what they see of it', async () => {
    const tool_input = Object.freeze({ command: 'ls', options: Object.freeze({ a: 1 }) });
    const runner = new Runner();
    runner.on('PreToolUse', (input) => {
      const own = input.tool_input as { options: { a: number } };
      own.options.a = 2;
      return { systemMessage: JSON.stringify(own) };
    });
    const outcome = await runner.fire('PreToolUse', Object.freeze({ ...INPUT, tool_input }));
    expect(outcome.systemMessages).toEqual(['{"command":"ls","options":{"a":2}}']);
    expect(tool_input.options.a).toBe(1);
  });
});
