import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import vectors from '../../spec/vectors/answers.json' with { type: 'json' };
import { hookline } from '../../src/dialects/hookline/index.js';
import type { HookEvent } from '../../src/events/types.js';
import type { Verdict } from '../../src/handlers/verdict.js';

interface Vector {
  readonly rule: string;
  readonly name: string;
  readonly event: HookEvent;
  readonly answer: unknown;
  /** What the verdict is, beside `outcome: 'success'`. */
  readonly verdict?: object;
  /** What the failure's message contains. */
  readonly failure?: string;
}

interface ExitVector {
  readonly rule: string;
  readonly name: string;
  readonly event: HookEvent;
  readonly exit: {
    readonly exitCode: number | null;
    readonly signal?: string;
    readonly stdout: string;
    readonly stderr: string;
  };
  readonly verdict?: object;
  readonly failure?: string;
  readonly says?: string;
}

const answered = (event: HookEvent, output: unknown): Verdict =>
  hookline.interpret(event, { kind: 'returned', output }, {});

const refusedAs = (message: unknown) => ({
  outcome: 'error',
  failure: { kind: 'invalid-output', message },
});

describe('answers', () => {
  it.each((vectors as readonly Vector[]).map((vector) => [`${vector.rule} ${vector.name}`, vector] as const))(
    '%s',
    (_, { event, answer, verdict, failure }) => {
      const read = answered(event, answer);
      if (failure === undefined) expect(read).toStrictEqual({ outcome: 'success', ...verdict });
      else expect(read).toStrictEqual(refusedAs(expect.stringContaining(failure)));
    },
  );

  it('FA-2 undefined is no opinion', () => {
    expect(answered('PreToolUse', undefined)).toStrictEqual({ outcome: 'success' });
  });

  it('FA-1 undefined fields are as good as absent', () => {
    const answer = {
      decision: undefined,
      reason: undefined,
      hookSpecificOutput: undefined,
      unknown: undefined,
    };
    expect(answered('PreToolUse', answer)).toStrictEqual({ outcome: 'success' });
  });

  it('FA-8 keys that reach prototypes are dropped and listed', () => {
    const answer = JSON.parse(
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"__proto__":{"polluted":1},"constructor":{"prototype":{}},"a":1}}}',
    );
    const { updatedInput, notes } = answered('PreToolUse', answer);
    expect(updatedInput).toStrictEqual({ a: 1 });
    expect(Object.getPrototypeOf(updatedInput)).toBe(Object.prototype);
    expect(notes).toEqual(['dangerous key `__proto__` is dropped', 'dangerous key `constructor` is dropped']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('FA-9 an answer deeper than 100 levels is a failure', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100; i++) deep = { deep };
    expect(answered('PreToolUse', { deep })).toStrictEqual(refusedAs(expect.stringContaining('100 levels')));
  });

  it('FA-9 an answer with more than 1,000,000 objects is a failure', () => {
    const list = new Array(1_000_000).fill({});
    expect(answered('PreToolUse', { list })).toStrictEqual(
      refusedAs(expect.stringContaining('1000000 objects')),
    );
  });

  it('IS-3 what was read does not change with the answer', () => {
    const updatedInput = { list: [1] };
    const verdict = answered('PreToolUse', {
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput },
    });
    updatedInput.list.push(2);
    expect(verdict.updatedInput).toEqual({ list: [1] });
  });
});

describe('answers that fight back', () => {
  class Answer {
    decision = 'block';
  }
  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const trap = (key: string): object =>
    Object.defineProperty({}, key, {
      enumerable: true,
      get: () => {
        throw new Error('trap');
      },
    });

  it.each([
    ['a function', () => ({ decision: 'block' })],
    ['a symbol', Symbol('deny')],
    ['a BigInt', 1n],
    ['an instance of a class', new Answer()],
    ['a Map', new Map([['decision', 'block']])],
    ['a BigInt inside', { reason: 1n }],
    [
      'a function inside',
      { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { run: () => 1 } } },
    ],
    ['a symbol inside', { reason: Symbol('s') }],
    ['NaN inside', { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { n: Number.NaN } } }],
    ['a getter that throws', trap('decision')],
    ['an async getter that throws', trap('async')],
    [
      'a proxy whose traps throw',
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('trap');
          },
          ownKeys: () => {
            throw new Error('trap');
          },
        },
      ),
    ],
    [
      'a cycle',
      (() => {
        const cycle: Record<string, unknown> = {};
        cycle['cycle'] = cycle;
        return cycle;
      })(),
    ],
  ])('FA-1 FA-6 %s is a failure, never thrown', (_, output) => {
    expect(answered('PreToolUse', output)).toStrictEqual(refusedAs(expect.any(String)));
  });

  it('FA-1 FA-6 a revoked proxy is a failure, never thrown', () => {
    expect(answered('PreToolUse', revoked())).toStrictEqual(refusedAs(expect.any(String)));
  });

  it('FA-1 FA-6 a getter that throws a revoked proxy is a failure, never thrown', () => {
    const output = Object.defineProperty({}, 'reason', {
      enumerable: true,
      get: () => {
        throw revoked();
      },
    });
    expect(answered('PreToolUse', output)).toStrictEqual(refusedAs(expect.any(String)));
  });
});

describe('ends without an answer', () => {
  it.each([
    [{ kind: 'timed-out', timeoutMs: 1500 }, 'cancelled', 'timed-out', '1.5 s'],
    [{ kind: 'aborted' }, 'cancelled', 'aborted', 'aborted'],
    [{ kind: 'threw', error: new Error('boom') }, 'error', 'threw', 'boom'],
    [{ kind: 'failed-to-start', message: 'no such file' }, 'error', 'failed-to-start', 'no such file'],
    [{ kind: 'too-much-output', message: 'over 1 MiB' }, 'error', 'too-much-output', 'over 1 MiB'],
  ] as const)('FA-7 FA-1 a run that ended as $kind has failed', (completion, outcome, kind, says) => {
    expect(hookline.interpret('PreToolUse', completion, {})).toStrictEqual({
      outcome,
      failure: { kind, message: expect.stringContaining(says) },
    });
  });

  it('FA-6 an error that cannot be read is still a failure', () => {
    const error = Object.defineProperty(new Error(), 'message', {
      get: () => {
        throw new Error('trap');
      },
    });
    expect(hookline.interpret('Stop', { kind: 'threw', error }, {})).toMatchObject({
      failure: { kind: 'threw' },
    });
  });
});

describe('ends of commands', () => {
  const exits: readonly ExitVector[] = JSON.parse(
    readFileSync(new URL('../../spec/vectors/exits.json', import.meta.url), 'utf8'),
  );

  it.each(exits.map((vector) => [`${vector.rule} ${vector.name}`, vector] as const))('%s', (_, vector) => {
    const { event, exit, verdict, failure, says = '' } = vector;
    const completion = {
      kind: 'exited',
      ...exit,
      exitCode: exit.exitCode ?? undefined,
      signal: exit.signal,
    } as const;
    const read = hookline.interpret(event, completion, {});
    if (failure === undefined) expect(read).toStrictEqual({ outcome: 'success', ...verdict });
    else {
      expect(read).toStrictEqual({
        outcome: 'error',
        failure: { kind: failure, message: expect.stringContaining(says) },
      });
    }
  });
});
