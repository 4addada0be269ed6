import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  type FailureKind,
  HOOK_EVENTS,
  type HookCallback,
  HookError,
  type HookEvent,
} from '../../src/index.js';
import { bash, makeRunner, SAMPLES, soon, turns, untyped, watchProcess } from '../support/runner.js';

watchProcess();

/** A callback that answers with something no callback should. */
const answering = (output: () => unknown): HookCallback<'PreToolUse'> => output as never;

const unreadable = (): Error =>
  Object.defineProperty(new Error(), 'message', {
    get() {
      throw new Error('the message cannot be read');
    },
  });

const hostileProxy = (): object =>
  new Proxy(
    {},
    {
      get() {
        throw new Error('get');
      },
      getPrototypeOf() {
        throw new Error('getPrototypeOf');
      },
      has() {
        throw new Error('has');
      },
      ownKeys() {
        throw new Error('ownKeys');
      },
      getOwnPropertyDescriptor() {
        throw new Error('getOwnPropertyDescriptor');
      },
    },
  );

const revokedProxy = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

const cyclic = (): object => {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  return cycle;
};

const nested = (levels: number): object => {
  let value: object = {};
  for (let i = 0; i < levels; i++) value = { value };
  return value;
};

class Money {
  readonly amount = 5;
}

/** A thenable without the literal that linters warn of. */
const thenable = (then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void) =>
  Object.defineProperty({}, 'then', { value: then, enumerable: true });

const thrown: [string, () => unknown][] = [
  ['an Error', () => new Error('broken')],
  ['undefined', () => undefined],
  ['null', () => null],
  ['a string', () => 'broken'],
  ['an empty string', () => ''],
  ['a number', () => 0],
  ['a symbol', () => Symbol('broken')],
  ['a function', () => () => {}],
  ['an object without a prototype', () => Object.create(null)],
  ['an object that cannot be printed', () => ({ toString: () => Object.create(null) })],
  ['an Error whose message cannot be read', unreadable],
  ['an Error whose message is not a string', () => Object.assign(new Error(), { message: cyclic() })],
  ['a proxy that refuses everything', hostileProxy],
  ['a revoked proxy', revokedProxy],
  ['a frozen Error', () => Object.freeze(new Error('broken'))],
  ['a HookError', () => new HookError('disposed', 'not the runner’s own')],
];

describe('a callback that throws', () => {
  it.each(thrown)('FA-1 FA-3 FA-6 %s: its own failure only, at once or as a rejection', async (_, make) => {
    for (const hook of [
      () => {
        throw make();
      },
      async () => {
        throw make();
      },
      async () => {
        await turns(1);
        throw make();
      },
    ]) {
      const { runner } = makeRunner();
      runner.on('PreToolUse', { name: 'thrower' }, hook);
      runner.on('PreToolUse', () => ({ decision: 'approve' }));
      const { results, failures, decision } = await soon(runner.fire('PreToolUse', bash()));
      expect(results.map((result) => result.outcome)).toEqual(['error', 'success']);
      expect(failures).toMatchObject([{ kind: 'threw', name: 'thrower', blocked: false }]);
      expect(failures[0]?.message).toMatch(/^it threw: /);
      expect(decision).toBe('allow');
    }
  });

  it('FA-1 the message of what was thrown is in the failure', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', [
      () => {
        throw new TypeError('x is not a function');
      },
      () => Promise.reject('just text'),
    ]);
    const { failures } = await runner.fire('Stop', SAMPLES.Stop);
    expect(failures.map((failure) => failure.message)).toEqual([
      'it threw: x is not a function',
      'it threw: just text',
    ]);
  });
});

const noOpinion: [string, () => unknown][] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['an empty object', () => ({})],
  ['an object without a prototype', () => Object.create(null)],
  ['an object of another realm', () => runInNewContext('({})')],
  ['fields that are undefined', () => ({ decision: undefined, hookSpecificOutput: undefined })],
];

const badAnswers: [string, () => unknown][] = [
  ['a string', () => 'approve'],
  ['an empty string', () => ''],
  ['a number', () => 0],
  ['true', () => true],
  ['false', () => false],
  ['a list', () => [{ decision: 'approve' }]],
  ['a function', () => () => ({ decision: 'approve' })],
  ['a symbol', () => Symbol('approve')],
  ['a BigInt', () => 1n],
  ['a Map', () => new Map([['decision', 'approve']])],
  ['a Date', () => new Date()],
  ['an Error', () => new Error('approve')],
  ['an instance of a class', () => Object.assign(new Money(), { decision: 'approve' })],
  ['a Map inside', () => ({ decision: 'approve', systemMessage: new Map() })],
  ['a function inside', () => ({ decision: 'approve', extra: () => 1 })],
  ['a symbol inside', () => ({ decision: 'approve', extra: Symbol('x') })],
  ['a BigInt inside', () => ({ decision: 'approve', extra: 1n })],
  ['NaN inside', () => ({ decision: 'approve', extra: Number.NaN })],
  ['a cycle', () => ({ decision: 'approve', extra: cyclic() })],
  ['more than 100 levels', () => ({ decision: 'approve', extra: nested(101) })],
  ['a decision that does not exist', () => ({ decision: 'maybe' })],
  ['a decision in capitals', () => ({ decision: 'Approve' })],
  ['an empty decision', () => ({ decision: '' })],
  ['a decision of null', () => ({ decision: null })],
  ['a reason that is a number', () => ({ decision: 'approve', reason: 5 })],
  ['a continue that is a string', () => ({ continue: 'false' })],
  ['a continue of 0', () => ({ continue: 0 })],
  ['a suppressOutput that is a string', () => ({ suppressOutput: 'true' })],
  ['a list of system messages', () => ({ systemMessage: ['a', 'b'] })],
  ['a hookSpecificOutput that is a string', () => ({ hookSpecificOutput: 'PreToolUse' })],
  ['a hookSpecificOutput without its event', () => ({ hookSpecificOutput: { permissionDecision: 'allow' } })],
  ["another event's hookEventName", () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } })],
  [
    'a permission that does not exist',
    () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'approve' } }),
  ],
  [
    'an updatedInput that is a string',
    () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: 'rm' } }),
  ],
  ['an asyncTimeout of 0', () => ({ async: true, asyncTimeout: 0 })],
  ['an asyncTimeout that is a string', () => ({ async: true, asyncTimeout: '5' })],
  ['an endless asyncTimeout', () => ({ async: true, asyncTimeout: Number.POSITIVE_INFINITY })],
];

/** Reading these throws, so whether that is "threw" or "invalid-output" is the reader's business. */
const hostileAnswers: [string, () => unknown][] = [
  [
    'a getter that throws',
    () => ({
      decision: 'approve',
      get reason() {
        throw new Error('no');
      },
    }),
  ],
  [
    'a getter `async` that throws',
    () => ({
      get async() {
        throw new Error('no');
      },
    }),
  ],
  [
    'a getter `result` that throws',
    () => ({
      async: true,
      get result() {
        throw new Error('no');
      },
    }),
  ],
  [
    'a getter `then` that throws',
    () =>
      Object.defineProperty({}, 'then', {
        get() {
          throw new Error('no');
        },
      }),
  ],
  ['a proxy that refuses everything', hostileProxy],
  ['a revoked proxy', revokedProxy],
  ['a hostile proxy inside', () => ({ hookSpecificOutput: hostileProxy() })],
  ['a revoked proxy inside', () => ({ hookSpecificOutput: revokedProxy() })],
];

describe('what a callback returns', () => {
  it.each(noOpinion)('FA-2 %s is no opinion', async (_, output) => {
    const { runner } = makeRunner({ onFailure: 'block' });
    runner.on('PreToolUse', [answering(output), answering(async () => output())]);
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome.failures).toEqual([]);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.results.map((result) => result.outcome)).toEqual(['success', 'success']);
  });

  it.each(badAnswers)('FA-1 FA-3 %s is a failure: nothing of it counts, the others do', async (_, output) => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', [answering(output), answering(async () => output())]);
    runner.on('PreToolUse', () => ({ systemMessage: 'still here' }));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.results.map((result) => result.outcome)).toEqual(['error', 'error', 'success']);
    expect(outcome.failures.map((failure) => failure.kind)).toEqual(['invalid-output', 'invalid-output']);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.continue).toBeUndefined();
    expect(outcome.updatedInput).toBeUndefined();
    expect(outcome.systemMessages).toEqual(['still here']);
  });

  it.each([...badAnswers, ...hostileAnswers])(
    'FA-4 FA-6 %s blocks as the answer of a guard',
    async (_, output) => {
      const { runner } = makeRunner();
      const hooks = [answering(output), answering(async () => output())];
      runner.on('PreToolUse', { onFailure: 'block', name: 'guard' }, hooks);
      const outcome = await soon(runner.fire('PreToolUse', bash()));
      expect(outcome.decision).toBe('deny');
      expect(outcome.failures.map((failure) => failure.blocked)).toEqual([true, true]);
    },
  );

  it.each(hostileAnswers)('FA-1 FA-6 %s is a failure', async (_, output) => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', [answering(output), answering(async () => output())]);
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.results.map((result) => result.outcome)).toEqual(['error', 'error']);
    expect(outcome.decision).toBeUndefined();
  });

  it('FA-9 100 levels are accepted', async () => {
    const { runner } = makeRunner();
    runner.on(
      'PreToolUse',
      answering(() => ({ extra: nested(98) })),
    );
    expect((await runner.fire('PreToolUse', bash())).failures).toEqual([]);
  });

  it('FA-8 an answer cannot reach a prototype', async () => {
    const { runner } = makeRunner();
    runner.on(
      'PreToolUse',
      answering(() => JSON.parse('{"__proto__":{"decision":"approve"},"constructor":1}')),
    );
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome.decision).toBeUndefined();
    expect(outcome.notes).toHaveLength(2);
    expect({}).not.toHaveProperty('decision');
  });

  it('FA-1 an answer of another realm is read like any other', async () => {
    const { runner } = makeRunner();
    runner.on(
      'PreToolUse',
      answering(() => runInNewContext('({ decision: "block", reason: "far away" })')),
    );
    expect(await runner.fire('PreToolUse', bash())).toMatchObject({ decision: 'deny', reason: 'far away' });
  });
});

describe('thenables', () => {
  it('FA-1 a thenable is waited for like a promise', async () => {
    const { runner } = makeRunner();
    runner.on(
      'PreToolUse',
      answering(() => thenable((resolve) => resolve({ decision: 'block' }))),
    );
    runner.on(
      'PreToolUse',
      answering(() => thenable((resolve) => resolve(Promise.resolve({ reason: 'x' })))),
    );
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.failures).toEqual([]);
    expect(outcome).toMatchObject({ decision: 'deny' });
    expect(outcome.results[1]?.reason).toBe('x');
  });

  const misbehaving: [string, () => unknown, string[]][] = [
    [
      'whose `then` throws',
      () =>
        thenable(() => {
          throw new Error('no');
        }),
      ['error'],
    ],
    [
      'that answers twice counts with its first answer',
      () =>
        thenable((resolve, reject) => {
          resolve({ reason: 'first' });
          resolve({ decision: 'block' });
          reject(new Error('both'));
        }),
      ['success'],
    ],
    [
      'that rejects and then answers has rejected',
      () =>
        thenable((resolve, reject) => {
          reject(new Error('first'));
          resolve({ decision: 'block' });
        }),
      ['error'],
    ],
    [
      'that answers and then throws has answered',
      () =>
        thenable((resolve) => {
          resolve({ reason: 'first' });
          throw new Error('afterwards');
        }),
      ['success'],
    ],
    ['that answers with itself', () => selfAnswering(), ['error']],
  ];

  function selfAnswering(): Promise<unknown> {
    let settle: (value: unknown) => void = () => {};
    const itself = new Promise((resolve) => {
      settle = resolve;
    });
    settle(itself);
    return itself;
  }

  it.each(misbehaving)('FA-1 FA-6 a thenable %s', async (_, make, expected) => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', answering(make));
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.results.map((result) => result.outcome)).toEqual(expected);
    expect(outcome.decision).toBeUndefined();
  });

  it('FA-1 FA-6 a promise that cannot be adopted is a failure, never a rejection of the fire', async () => {
    const { runner } = makeRunner();
    runner.on(
      'PreToolUse',
      answering(() =>
        Object.defineProperty(Promise.resolve({}), 'constructor', {
          get() {
            throw new Error('no constructor');
          },
        }),
      ),
    );
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    expect(outcome.failures).toMatchObject([{ kind: 'threw' }]);
  });

  it('FA-6 a rejecting promise inside an invalid answer is not left unhandled', async () => {
    const { runner } = makeRunner();
    const rest = () => Promise.reject(new Error('nobody listens'));
    runner.on(
      'PreToolUse',
      answering(() => ({ async: true, asyncTimeout: -1, result: rest() })),
    );
    const { failures } = await runner.fire('PreToolUse', bash());
    expect(failures).toMatchObject([{ kind: 'invalid-output' }]);
  });
});

type Failing = [kind: FailureKind, what: string, hook: () => unknown, outcome: 'error' | 'cancelled'];

const failing: Failing[] = [
  [
    'threw',
    'a throw',
    () => {
      throw new Error('broken');
    },
    'error',
  ],
  ['threw', 'a rejection', async () => Promise.reject(new Error('broken')), 'error'],
  ['timed-out', 'a timeout', () => new Promise(() => {}), 'cancelled'],
  ['invalid-output', 'a wrong type', () => 'approve', 'error'],
  ['invalid-output', 'an unknown decision', () => ({ decision: 'maybe' }), 'error'],
  ['threw', 'a failing rest', () => ({ async: true, result: Promise.reject(new Error('rest')) }), 'error'],
  ['invalid-output', 'an invalid rest', () => ({ async: true, result: Promise.resolve(1) }), 'error'],
  [
    'timed-out',
    'a late rest',
    () => ({ async: true, asyncTimeout: 0.02, result: new Promise(() => {}) }),
    'cancelled',
  ],
];

/** Short only where it is to be reached: a busy machine also delays what answers at once. */
const timeoutFor = (kind: FailureKind): number => (kind === 'timed-out' ? 0.02 : 8);

const canBlock: readonly HookEvent[] = [
  'PreToolUse',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'PermissionRequest',
  'TeammateIdle',
  'TaskCompleted',
];

describe('failures', () => {
  it.each(failing)(
    'FA-3 FA-7 %s through %s is reported and changes nothing else',
    async (kind, _, hook, ended) => {
      const { runner } = makeRunner();
      untyped(runner).on('PreToolUse', { name: 'faulty', timeout: timeoutFor(kind) }, hook);
      runner.on('PreToolUse', () => ({ decision: 'approve', reason: 'fine' }));
      const outcome = await soon(runner.fire('PreToolUse', bash()));
      const [first, second] = outcome.results;
      expect(first).toMatchObject({ outcome: ended, name: 'faulty', failure: { kind, blocked: false } });
      expect(first).not.toHaveProperty('decision');
      expect(second).toMatchObject({ outcome: 'success', decision: 'allow' });
      expect(outcome.failures).toEqual([first?.failure]);
      expect(outcome).toMatchObject({ decision: 'allow', reason: 'fine', aborted: false });
    },
  );

  it.each(failing)('FA-4 FA-7 %s through %s is a deny of a guard', async (kind, _, hook, ended) => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', () => ({ decision: 'approve', reason: 'fine' }));
    const options = { name: 'my guard', onFailure: 'block', timeout: timeoutFor(kind) };
    untyped(runner).on('PreToolUse', options, hook);
    const outcome = await soon(runner.fire('PreToolUse', bash()));
    const last = outcome.results[1];
    expect(last).toMatchObject({ outcome: ended, decision: 'deny', failure: { kind, blocked: true } });
    expect(outcome.decision).toBe('deny');
    expect(outcome.reason).toContain('my guard');
    expect(outcome.reason).toContain(last?.failure?.message);
    expect(last).toMatchObject({ reason: outcome.reason, message: outcome.reason });
  });

  it.each(HOOK_EVENTS)(
    'FA-4 FA-5 a guard that fails on %s blocks where something can be prevented',
    async (event) => {
      const { runner } = makeRunner({ onFailure: 'block' });
      for (const [kind, , hook] of failing) untyped(runner).on(event, { timeout: timeoutFor(kind) }, hook);
      const outcome = await soon(untyped(runner).fire(event, SAMPLES[event]));
      const blocks = canBlock.includes(event);
      expect(outcome.decision).toBe(blocks ? 'deny' : undefined);
      expect(outcome.failures.map((failure) => failure.kind)).toEqual(failing.map(([kind]) => kind));
      expect(outcome.failures.every((failure) => failure.blocked === blocks)).toBe(true);
    },
  );

  it.each([
    { hook: 'block', group: 'continue', runner: 'continue', blocks: true },
    { hook: 'continue', group: 'block', runner: 'block', blocks: false },
    { hook: undefined, group: 'block', runner: 'continue', blocks: true },
    { hook: undefined, group: 'continue', runner: 'block', blocks: false },
    { hook: undefined, group: undefined, runner: 'block', blocks: true },
    { hook: undefined, group: undefined, runner: undefined, blocks: false },
  ] as const)(
    'FA-3 FA-4 hook $hook, group $group, runner $runner: blocks is $blocks',
    async ({ hook, group, runner: own, blocks }) => {
      const { runner } = makeRunner({ onFailure: own });
      const callback = () => Promise.reject(new Error('no'));
      runner.on('PreToolUse', { onFailure: group }, { type: 'callback', callback, onFailure: hook });
      const outcome = await runner.fire('PreToolUse', bash());
      expect(outcome.decision).toBe(blocks ? 'deny' : undefined);
    },
  );

  it('FA-4 a guard with a valid answer blocks only when it says so', async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    runner.on('PreToolUse', [() => undefined, () => ({ decision: 'approve' })]);
    expect(await runner.fire('PreToolUse', bash())).toMatchObject({ decision: 'allow', failures: [] });
  });

  it('FA-1 an aborted hook has failed', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', () => undefined);
    const outcome = await runner.fire('Stop', SAMPLES.Stop, { signal: AbortSignal.abort() });
    expect(outcome.failures).toMatchObject([{ kind: 'aborted' }]);
    expect(outcome.results).toMatchObject([{ outcome: 'cancelled' }]);
  });
});

interface Deep {
  command: string;
  env: { PATH: string };
  list: { n: number }[];
}

const deepInput = (): Deep => ({ command: 'ls', env: { PATH: '/bin' }, list: [{ n: 1 }, { n: 2 }] });

/** Changes everything that can be changed about an input. */
function vandalise(input: object): void {
  const tool = (input as { tool_input: Deep }).tool_input;
  tool.command = 'rm';
  tool.env.PATH = '/evil';
  Object.assign(tool, { added: true });
  tool.list.push({ n: 3 });
  const first = tool.list[0];
  if (first !== undefined) first.n = 100;
  tool.list.sort((a, b) => b.n - a.n);
  tool.list.length = 1;
  Reflect.deleteProperty(tool, 'command');
  Object.defineProperty(tool, 'defined', { value: 1, configurable: true, enumerable: true, writable: true });
  Reflect.deleteProperty(tool.env, 'PATH');
  Object.assign(input, { session_id: 'stolen', tool_name: 'Evil', hook_event_name: 'Stop' });
  Reflect.deleteProperty(input, 'tool_use_id');
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('isolation', () => {
  it.each([
    ['sequential', false],
    ['parallel', true],
  ])(
    'IS-1 a hook that changes its input changes nothing for %s hooks, the caller, a later fire',
    async (_, parallel) => {
      const { runner } = makeRunner({ sessionId: 's' });
      const seen: unknown[] = [];
      const see = (input: object): void => void seen.push(plain(input));
      runner.on('PreToolUse', { parallel }, [see, vandalise, see, vandalise, see]);
      const input = { ...bash(), tool_input: deepInput() };
      for (let i = 0; i < 2; i++) {
        const outcome = await runner.fire('PreToolUse', input);
        expect(outcome.failures).toEqual([]);
      }
      expect(input).toEqual({ ...bash(), tool_input: deepInput() });
      expect(seen).toHaveLength(6);
      for (const each of seen) {
        expect(each).toMatchObject({ session_id: 's', tool_name: 'Bash', tool_use_id: 'use-1' });
        expect(each).toMatchObject({ tool_input: deepInput() });
        expect(Object.keys((each as { tool_input: object }).tool_input)).toEqual(['command', 'env', 'list']);
      }
    },
  );

  it('IS-1 a hook that changes its input after it answered, or after its deadline, changes nothing', async () => {
    const { runner } = makeRunner();
    const kept: object[] = [];
    const seen: unknown[] = [];
    runner.on('PreToolUse', (input) => void kept.push(input));
    runner.on('PreToolUse', { timeout: 0.02 }, (input) => {
      kept.push(input);
      return new Promise(() => {});
    });
    runner.on('PreToolUse', (input) => {
      for (const each of kept) vandalise(each);
      seen.push(plain(input.tool_input));
    });
    const input = { ...bash(), tool_input: deepInput() };
    await soon(runner.fire('PreToolUse', input));
    expect(seen).toEqual([deepInput()]);
    expect(input.tool_input).toEqual(deepInput());
  });

  it('IS-1 changing a rewritten input later changes neither the outcome nor the next hook', async () => {
    const { runner } = makeRunner();
    const rewritten = deepInput();
    const seen: unknown[] = [];
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { ...rewritten } },
    }));
    runner.on('PreToolUse', (input) => {
      rewritten.env.PATH = '/evil';
      vandalise(input);
    });
    runner.on('PreToolUse', (input) => void seen.push(plain(input.tool_input)));
    const outcome = await runner.fire('PreToolUse', bash());
    expect(seen).toEqual([deepInput()]);
    expect(outcome.updatedInput).toEqual(deepInput());
  });

  const frozen = (value: object): object => {
    for (const item of Object.values(value)) if (typeof item === 'object') frozen(item as object);
    return Object.freeze(value);
  };

  it.each([
    ['frozen', frozen],
    ['sealed', (value: object) => Object.seal(value)],
    ['not extensible', (value: object) => Object.preventExtensions(value)],
    ['without a prototype', (value: object) => Object.assign(Object.create(null), value)],
  ])('IS-1 IS-2 an input that is %s can be read and changed like any other', async (_, prepare) => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('PreToolUse', [vandalise, (input) => void seen.push(plain(input.tool_input))]);
    const tool_input = prepare(deepInput());
    const outcome = await runner.fire('PreToolUse', { ...bash(), tool_input });
    expect(outcome.failures).toEqual([]);
    expect(seen).toEqual([deepInput()]);
    expect(plain(tool_input)).toEqual(deepInput());
  });

  it('IS-1 what is no plain data is seen as JSON would write it, and is not shared', async () => {
    const { runner } = makeRunner();
    const when = new Date(0);
    const seen: unknown[] = [];
    runner.on('PreToolUse', (input) => void seen.push((input.tool_input as { when: unknown }).when));
    await runner.fire('PreToolUse', { ...bash(), tool_input: { when } });
    expect(seen).toEqual(['1970-01-01T00:00:00.000Z']);
  });

  it('IS-2 a hook may change its input and return the changed part', async () => {
    const { runner } = makeRunner();
    const input = { ...bash(), tool_input: deepInput() };
    runner.on('PreToolUse', (own) => {
      const tool = own.tool_input as Deep & Record<string, unknown>;
      tool.command = 'ls -a';
      tool.env.PATH = '/usr/bin';
      tool.list.push({ n: 3 });
      return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: tool } };
    });
    const outcome = await runner.fire('PreToolUse', input);
    expect(outcome.updatedInput).toEqual({
      command: 'ls -a',
      env: { PATH: '/usr/bin' },
      list: [{ n: 1 }, { n: 2 }, { n: 3 }],
    });
    expect(input.tool_input).toEqual(deepInput());
  });

  it('IS-2 a hook sees its own changes', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('PreToolUse', (input) => {
      vandalise(input);
      seen.push(plain(input));
    });
    await runner.fire('PreToolUse', { ...bash(), tool_input: deepInput() });
    expect(seen).toEqual([
      expect.objectContaining({
        session_id: 'stolen',
        tool_input: { env: {}, list: [{ n: 100 }], added: true, defined: 1 },
      }),
    ]);
  });

  it('IS-2 a hook may return its whole input: unknown keys are noted, nothing is decided', async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    runner.on('PreToolUse', (input) => input as never);
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome.decision).toBeUndefined();
    expect(outcome.failures).toEqual([]);
    expect(outcome.notes.length).toBeGreaterThan(0);
  });

  it('IS-3 changing what was returned changes nothing any more', async () => {
    const { runner } = makeRunner();
    const updatedInput: Record<string, unknown> = { nested: { deep: [1] } };
    const answer = {
      systemMessage: 'before',
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput },
    } as const;
    runner.on('PreToolUse', () => answer);
    runner.on('PreToolUse', () => {
      Object.assign(answer, { systemMessage: 'after', decision: 'block' });
      updatedInput['nested'] = 'after';
    });
    const outcome = await runner.fire('PreToolUse', bash());
    (answer.hookSpecificOutput.updatedInput as { more?: unknown }).more = 'later';
    expect(outcome.systemMessages).toEqual(['before']);
    expect(outcome.decision).toBeUndefined();
    expect(outcome.updatedInput).toEqual({ nested: { deep: [1] } });
    expect(outcome.hookSpecificOutputs).toEqual([
      { hookEventName: 'PreToolUse', updatedInput: { nested: { deep: [1] } } },
    ]);
  });
});
