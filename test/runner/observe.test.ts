/** Those who observe whole fires: what they are told, and that nobody notices them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type BegunFire,
  command,
  type FireWatcher,
  type HookError,
  type HookMessage,
  type HookOutcome,
  type HookResult,
  type ObservableRunner,
  Runner,
  type RunnerOptions,
  type StartedHook,
} from '../../src/index.js';
import { recordMessages } from '../support/messages.js';
import { bash, gate, refusalOf, SAMPLES, soon, turns, untyped } from '../support/runner.js';

function makeRunner(options: RunnerOptions = {}): Runner {
  const runner = new Runner(options);
  onTestFinished(() => runner.dispose());
  return runner;
}

interface Seen {
  readonly fire: BegunFire;
  /** In the order in which it was told. */
  readonly told: string[];
  readonly messages: HookMessage[];
  readonly results: HookResult[];
  outcome?: HookOutcome;
  error?: unknown;
}

/** Writes down every fire. */
function see(runner: ObservableRunner): { readonly fires: readonly Seen[]; stop(): void } {
  const fires: Seen[] = [];
  const stop = runner.observe((fire) => {
    const seen: Seen = { fire, told: ['begin'], messages: [], results: [] };
    fires.push(seen);
    return {
      message: (message, result) => {
        seen.told.push(`${message.hook_name} ${message.subtype.slice('hook_'.length)}`);
        seen.messages.push(message);
        if (result !== undefined) seen.results.push(result);
      },
      end: (outcome) => {
        seen.told.push('end');
        seen.outcome = outcome;
      },
      fail: (error) => {
        seen.told.push('fail');
        seen.error = error;
      },
    };
  });
  return { fires, stop };
}

const errorsOf = (): { errors: [Error, HookMessage | undefined][]; options: RunnerOptions } => {
  const errors: [Error, HookMessage | undefined][] = [];
  return { errors, options: { onListenerError: (error, message) => void errors.push([error, message]) } };
};

describe('an observer', () => {
  it('MS-10 is called for every fire that begins: whose, about what, with which input', async () => {
    const runner = makeRunner({ sessionId: 'runner-session' });
    const { fires } = see(runner);
    runner.on('PreToolUse', { matcher: 'Write' }, () => undefined);
    await runner.fire('PreToolUse', bash());
    await runner.fire('Stop', { ...SAMPLES.Stop, session_id: 'own-session' }, { toolUseID: 'given' });
    await runner.forAgent('ada').fire('Notification', SAMPLES.Notification);
    expect(fires.map(({ fire: { id: _, ...fire } }) => fire)).toEqual([
      {
        event: 'PreToolUse',
        input: bash(),
        sessionId: 'runner-session',
        agentId: undefined,
        toolUseID: 'use-1',
      },
      {
        event: 'Stop',
        input: { ...SAMPLES.Stop, session_id: 'own-session' },
        sessionId: 'own-session',
        agentId: undefined,
        toolUseID: 'given',
      },
      {
        event: 'Notification',
        input: SAMPLES.Notification,
        sessionId: 'runner-session',
        agentId: 'ada',
        toolUseID: undefined,
      },
    ]);
    expect(new Set(fires.map(({ fire }) => fire.id)).size).toBe(3);
    // No hook answered any of them, and they have ended all the same.
    expect(fires.map(({ told, outcome }) => [told, outcome?.results])).toEqual(
      fires.map(() => [['begin', 'end'], []]),
    );
  });

  it('MS-10 that wants no watcher for a fire gets nothing more of it', async () => {
    const runner = makeRunner();
    const begun: string[] = [];
    runner.observe(({ event }) => void begun.push(event));
    const others = see(runner);
    runner.on('Stop', { name: 'one' }, () => ({ continue: true }));
    expect((await runner.fire('Stop', SAMPLES.Stop)).continue).toBe(true);
    expect(begun).toEqual(['Stop']);
    expect(others.fires[0]?.told).toEqual(['begin', 'one started', 'one response', 'end']);
    others.stop();
    expect((await runner.fire('Stop', SAMPLES.Stop)).continue).toBe(true);
    expect(begun).toEqual(['Stop', 'Stop']);
  });

  it('MS-10 is a function; anything else is refused', async () => {
    const runner = makeRunner();
    for (const wrong of [undefined, null, {}, 'observer'])
      expect((await refusalOf(() => runner.observe(wrong as never))).code).toBe('invalid_option');
    expect((await runner.fire('Stop', SAMPLES.Stop)).results).toEqual([]);
  });
});

describe('a watcher', () => {
  it('MS-11 gets the messages of its own fire, also when fires go on side by side and within each other', async () => {
    const runner = makeRunner();
    const { fires } = see(runner);
    const gates = { a: gate(), b: gate() };
    runner.on('PreToolUse', { name: 'waits' }, async (input) => {
      await gates[input.tool_use_id as 'a' | 'b'].passed;
    });
    runner.on('PreToolUse', { name: 'fires' }, async () => {
      await runner.fire('Notification', SAMPLES.Notification);
    });
    runner.on('Notification', { name: 'inner' }, () => undefined);
    const running = (['a', 'b'] as const).map((id) =>
      runner.fire('PreToolUse', { ...bash(), tool_use_id: id }),
    );
    gates.b.open();
    await running[1];
    gates.a.open();
    await Promise.all(running);
    const outer = ['begin', 'waits started', 'waits response', 'fires started', 'fires response', 'end'];
    const inner = ['begin', 'inner started', 'inner response', 'end'];
    expect(fires.map(({ told }) => told)).toEqual([outer, outer, inner, inner]);
    for (const { messages, outcome } of fires)
      expect([...new Set(messages.map(({ hook_id }) => hook_id))]).toEqual(
        outcome?.results.map(({ hookId }) => hookId),
      );
  });

  it('MS-11 gets the very messages that listeners get, and with a response the result', async () => {
    const runner = makeRunner();
    const { fires } = see(runner);
    const record = recordMessages(runner);
    runner.on('Stop', { name: 'tells' }, (_input, _id, { progress }) => progress('half way'));
    runner.on('Stop', command('echo err >&2; exit 3', { name: 'fails' }));
    const outcome = await runner.fire('Stop', SAMPLES.Stop);
    const [seen] = fires;
    expect(seen?.told).toEqual([
      'begin',
      'tells started',
      'tells progress',
      'tells response',
      'fails started',
      'fails progress',
      'fails response',
      'end',
    ]);
    for (const [i, message] of record.messages.entries()) expect(seen?.messages[i]).toBe(message);
    expect(seen?.results).toEqual(outcome.results);
    expect(seen?.results[1]).toMatchObject({ exitCode: 3, failure: { kind: 'exit-code' } });
  });

  it('MS-11 is notified of the end before the caller continues', async () => {
    const runner = makeRunner();
    const order: string[] = [];
    runner.observe(() => ({ end: () => void order.push('watcher') }));
    runner.on('Stop', async () => ({ decision: 'block', reason: 'not yet' }));
    const { reason } = await runner.fire('Stop', SAMPLES.Stop);
    order.push('caller');
    expect([reason, ...order]).toEqual(['not yet', 'watcher', 'caller']);
  });

  it('MS-11 gets the error of a fire that is refused, at once, and no end', async () => {
    const runner = new Runner();
    const { fires } = see(runner);
    runner.on('PreToolUse', () => undefined);
    const calls = [
      () => untyped(runner).fire('Nothing', {}),
      () => untyped(runner).fire('PreToolUse', { tool_name: 5 }),
      () => untyped(runner).fire('PreToolUse', null),
      () => untyped(runner).fire('PreToolUse', bash(), { signal: 'no' }),
    ];
    const codes: string[] = [];
    for (const call of calls) codes.push((await refusalOf(call)).code);
    await runner.dispose();
    codes.push((await refusalOf(() => runner.fire('PreToolUse', bash()))).code);
    expect(codes).toEqual(['unknown_event', 'invalid_input', 'invalid_input', 'invalid_option', 'disposed']);
    expect(fires.map(({ told }) => told)).toEqual(codes.map(() => ['begin', 'fail']));
    expect(fires.map(({ error }) => (error as HookError).code)).toEqual(codes);
  });

  it('MS-11 gets the response of a hook in the background after the end', async () => {
    const runner = makeRunner();
    const { fires, stop } = see(runner);
    const late = gate<object>();
    runner.on('PostToolUse', { name: 'later', dialect: 'claude-code' }, () => ({
      async: true,
      result: late.passed,
    }));
    const { pending } = await runner.fire('PostToolUse', SAMPLES.PostToolUse);
    stop();
    expect([pending.length, fires[0]?.told]).toEqual([1, ['begin', 'later started', 'end']]);
    late.open({});
    await soon(runner.drain());
    expect(fires[0]?.told).toEqual(['begin', 'later started', 'end', 'later response']);
    expect(fires[0]?.results[0]?.hookId).toBe(pending[0]?.hookId);
  });

  it('MS-11 gets the rest when the runner is disposed', async () => {
    const runner = new Runner();
    const { fires } = see(runner);
    runner.on('Stop', { name: 'hangs' }, () => new Promise(() => {}));
    runner.on('Stop', { name: 'left out' }, () => undefined);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    await runner.dispose();
    await fired;
    expect(fires[0]?.told).toEqual(['begin', 'hangs started', 'hangs response', 'end']);
    expect(fires[0]?.outcome).toMatchObject({ aborted: true });
  });
});

describe('observers change nothing', () => {
  it('MS-12 what they do to inputs, results and outcomes stays with them', async () => {
    const runner = makeRunner();
    /** As somebody would do who has not read the types. */
    const spoil = (value: unknown): void => {
      const record = value as Record<string, unknown>;
      for (const key of Object.keys(record)) record[key] = 'spoilt';
    };
    runner.observe(({ input }) => {
      spoil(input['tool_input']);
      spoil(input);
      return {
        message: (_message, result) => result && spoil(result),
        end: (outcome) => {
          spoil(outcome.updatedInput);
          spoil(outcome.results[0]);
          (outcome.additionalContext as string[]).push('spoilt');
          spoil(outcome);
        },
      };
    });
    const { fires } = see(runner);
    const given = bash();
    const seen: unknown[] = [];
    runner.on('PreToolUse', { name: 'rewrites' }, (input) => {
      seen.push(input.tool_input);
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          updatedInput: { command: 'ls -l' },
          additionalContext: 'as it is',
        },
      };
    });
    const outcome = await runner.fire('PreToolUse', given);
    expect([given, seen]).toEqual([bash(), [{ command: 'ls' }]]);
    expect(fires[0]?.fire.input).toEqual(bash());
    for (const each of [outcome, fires[0]?.outcome])
      expect(each).toMatchObject({
        updatedInput: { command: 'ls -l' },
        additionalContext: ['as it is'],
        results: [{ name: 'rewrites', outcome: 'success' }],
      });
  });

  it('MS-12 one that throws, or rejects, everywhere; its errors go to onListenerError', async () => {
    const { errors, options } = errorsOf();
    const runner = makeRunner(options);
    const fail = (what: string) => (): never => {
      throw new Error(what);
    };
    runner.observe(fail('begin'));
    runner.observe(() => Promise.reject(new Error('begin later')) as never);
    runner.observe(() => ({
      within: fail('within'),
      environment: fail('environment'),
      message: fail('message'),
      end: fail('end'),
      fail: fail('fail'),
    }));
    runner.observe(() => ({ end: () => Promise.reject(new Error('end later')) as never }));
    const { fires } = see(runner);
    runner.on('PreToolUse', { name: 'guard' }, command('exit 2'));
    expect((await runner.fire('PreToolUse', bash())).decision).toBe('deny');
    await refusalOf(() => untyped(runner).fire('PreToolUse', {}));
    await turns();
    expect(fires.map(({ told }) => told)).toEqual([
      ['begin', 'guard started', 'guard response', 'end'],
      ['begin', 'fail'],
    ]);
    const messages = errors.map(([error, message]) => [error.message, message?.subtype]);
    expect(messages.toSorted()).toEqual(
      [
        ...['begin', 'begin', 'begin later', 'begin later', 'within', 'environment', 'end', 'end later'].map(
          (what) => [what, undefined],
        ),
        ['message', 'hook_started'],
        ['message', 'hook_response'],
        ['fail', undefined],
      ].toSorted(),
    );
  });

  it('MS-12 onListenerError may throw too; without it there is one process warning', async () => {
    const broken = (): never => {
      throw new Error('my observer is broken');
    };
    const silent = makeRunner({ onListenerError: broken });
    silent.observe(broken);
    expect((await silent.fire('Stop', SAMPLES.Stop)).results).toEqual([]);
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const runner = makeRunner();
    runner.observe(broken);
    await runner.fire('Stop', SAMPLES.Stop);
    await runner.fire('Stop', SAMPLES.Stop);
    await turns();
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'HOOKLINE_OBSERVER',
        message: expect.stringContaining('my observer is broken'),
      }),
    ]);
  });

  it('MS-12 a refusal that the caller does not handle is still an unhandled rejection', async () => {
    const runner = makeRunner();
    const { fires } = see(runner);
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    // Only this one: that of the test runner would fail the test.
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', note);
    onTestFinished(() => {
      process.off('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
    });
    untyped(runner).fire('Nothing', {});
    await turns();
    expect(fires[0]?.told).toEqual(['begin', 'fail']);
    expect(unhandled).toEqual([fires[0]?.error]);
  });

  it('MS-12 a fire that no hook answers is the same promise as ever', async () => {
    const runner = makeRunner();
    const before = runner.fire('Stop', SAMPLES.Stop);
    see(runner);
    expect(runner.fire('Stop', SAMPLES.Stop)).toBe(before);
  });

  it('MS-7 MS-12 listeners that come while a hook runs do not hear of it, and those who go no more', async () => {
    const runner = makeRunner();
    const { fires } = see(runner);
    const free = gate();
    runner.on('Stop', { name: 'first' }, () => free.passed);
    runner.on('Stop', { name: 'second' }, () => undefined);
    const fired = runner.fire('Stop', SAMPLES.Stop);
    const record = recordMessages(runner);
    free.open();
    await fired;
    record.check();
    expect(record.messages.map(({ hook_name }) => hook_name)).toEqual(['second', 'second']);
    expect(fires[0]?.told).toEqual([
      'begin',
      'first started',
      'first response',
      'second started',
      'second response',
      'end',
    ]);
  });
});

describe('within', () => {
  it('MS-13 every hook is started in it, in the context that it makes, regardless of what ran before', async () => {
    const runner = makeRunner();
    const storage = new AsyncLocalStorage<string>();
    runner.observe(({ toolUseID }) => ({
      within: (hook, run) => storage.run(`${toolUseID} ${hook.name}`, run),
    }));
    const found: (string | undefined)[] = [];
    const look = async (): Promise<void> => {
      await turns(1);
      found.push(storage.getStore());
    };
    runner.on('PreToolUse', { name: 'sequential' }, look);
    runner.on('PreToolUse', { name: 'too slow', timeout: 0.02 }, () => new Promise(() => {}));
    runner.on('PreToolUse', { name: 'after a deadline' }, look);
    runner.on('PreToolUse', { parallel: true }, [
      { type: 'callback', name: 'one', callback: look },
      { type: 'callback', name: 'two', callback: look },
    ]);
    runner.on('PreToolUse', { name: 'at once' }, () => void found.push(storage.getStore()));
    const around = await storage.run('caller', async () => {
      await Promise.all(['a', 'b'].map((id) => runner.fire('PreToolUse', { ...bash(), tool_use_id: id })));
      return storage.getStore();
    });
    expect(around).toBe('caller');
    const names = ['sequential', 'after a deadline', 'one', 'two', 'at once'];
    expect(found.toSorted()).toEqual(names.flatMap((name) => [`a ${name}`, `b ${name}`]).toSorted());
  });

  it('MS-13 tells the hook: its id, its name, its kind', async () => {
    const runner = makeRunner();
    const started: StartedHook[] = [];
    runner.observe(() => ({
      within: (hook, run) => {
        started.push(hook);
        return run();
      },
    }));
    runner.on('Stop', [
      function named() {},
      { type: 'callback', callback: () => undefined },
      command('true', { name: 'line' }),
      { type: 'http', url: 'http://127.0.0.1:9/', name: 'address' },
      { type: 'prepared', run: () => ({ kind: 'returned', output: undefined }), name: 'ready' },
    ]);
    runner.use({
      groups: [
        {
          event: 'Stop',
          options: {},
          source: { layer: 'user', file: 'settings.json', line: 1, column: 1 },
          hooks: [
            {
              hook: { type: 'prepared', run: () => ({ kind: 'returned', output: undefined }), name: 'judge' },
              description: 'prompt: is it done?',
              source: { layer: 'user', file: 'settings.json', line: 2, column: 1 },
              written: { type: 'prompt', prompt: 'is it done?' },
            },
          ],
        },
      ],
      diagnostics: [],
      files: [],
    });
    const { results } = await runner.fire('Stop', SAMPLES.Stop);
    expect(started.map(({ id }) => id)).toEqual(results.map(({ hookId }) => hookId));
    expect(started.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'callback named',
      'callback callback',
      'command line',
      'http address',
      'prepared ready',
      'prompt judge',
    ]);
  });

  it('MS-13 the first observer is the outermost', async () => {
    const runner = makeRunner();
    const order: string[] = [];
    const around = (name: string) => () => ({
      within: <T>(_hook: StartedHook, run: () => T): T => {
        order.push(`${name} in`);
        const value = run();
        order.push(`${name} out`);
        return value;
      },
    });
    runner.observe(around('first'));
    runner.observe(around('second'));
    runner.on('Stop', () => void order.push('hook'));
    await runner.fire('Stop', SAMPLES.Stop);
    expect(order).toEqual(['first in', 'second in', 'hook', 'second out', 'first out']);
  });

  const CARELESS: readonly (readonly [string, NonNullable<FireWatcher['within']>])[] = [
    ['does not call it', () => undefined as never],
    [
      'calls it twice',
      (_hook, run) => {
        run();
        return run();
      },
    ],
    ['calls it later', (_hook, run) => Promise.resolve().then(run) as never],
    [
      'throws before',
      () => {
        throw new Error('before');
      },
    ],
    [
      'throws after',
      (_hook, run) => {
        run();
        throw new Error('after');
      },
    ],
    [
      'answers something else',
      (_hook, run) => {
        run();
        return { result: 'mine' } as never;
      },
    ],
  ];

  it.each(CARELESS)('MS-13 one that %s: the hook is started once', async (_, within) => {
    const runner = makeRunner({ onListenerError: () => {} });
    runner.observe(() => ({ within }));
    let calls = 0;
    runner.on('PreToolUse', () => {
      calls += 1;
      return { decision: 'block', reason: 'no' };
    });
    runner.on('PreToolUse', { parallel: true }, async () => {
      calls += 1;
    });
    const { reason, results } = await soon(runner.fire('PreToolUse', bash()));
    await turns();
    expect([reason, results.length, calls]).toEqual(['no', 2, 2]);
  });
});

describe('environment', () => {
  const print = (name: string) => command(`echo "{\\"systemMessage\\":\\"$${name}\\"}"`, { name: 'prints' });

  it('MS-14 a command gets the variables; what its own configuration says counts more, what it inherits less', async () => {
    process.env['SEEN_BY_COMMANDS'] = 'inherited';
    onTestFinished(() => void delete process.env['SEEN_BY_COMMANDS']);
    const runner = makeRunner();
    runner.on('Stop', print('SEEN_BY_COMMANDS'));
    runner.on('Stop', { ...print('SEEN_BY_COMMANDS'), env: { SEEN_BY_COMMANDS: 'own' } });
    const stop = runner.observe(({ event }) => ({
      environment: ({ name }) => ({ SEEN_BY_COMMANDS: `${event} ${name}` }),
    }));
    const told = async () => (await runner.fire('Stop', SAMPLES.Stop)).systemMessages;
    expect(await told()).toEqual(['Stop prints', 'own']);
    stop();
    expect(await told()).toEqual(['inherited', 'own']);
  });

  it('MS-14 also one that is checked once more before it runs, and one that a helper starts', async () => {
    const runner = makeRunner({ spawn: 'helper' });
    runner.observe(({ toolUseID }) => ({ environment: () => ({ SEEN_BY_COMMANDS: `for ${toolUseID}` }) }));
    const source = { layer: 'project', file: 'settings.json', line: 1, column: 1 } as const;
    const loaded = {
      hook: print('SEEN_BY_COMMANDS'),
      description: 'prints',
      source,
      written: {},
      verify: async () => {
        await turns(1);
        return true;
      },
    };
    runner.use({
      groups: [{ event: 'PreToolUse', options: {}, source, hooks: [loaded] }],
      diagnostics: [],
      files: [],
    });
    const ids = ['a', 'b', 'c'];
    const outcomes = await Promise.all(
      ids.map((id) => runner.fire('PreToolUse', { ...bash(), tool_use_id: id })),
    );
    expect(outcomes.map(({ systemMessages }) => systemMessages)).toEqual(ids.map((id) => [`for ${id}`]));
  });

  it('MS-14 what cannot be a variable is left out', async () => {
    const runner = makeRunner();
    runner.observe(() => ({
      environment: () =>
        ({
          'A=B': 'no name',
          WITH_NUL: 'a\0b',
          NUMBER: 5,
          TOO_LONG: 'x'.repeat(5000),
          FINE: 'fine',
        }) as never,
    }));
    runner.on('Stop', command('echo "{\\"systemMessage\\":\\"$WITH_NUL$NUMBER$TOO_LONG$FINE\\"}"'));
    expect(await runner.fire('Stop', SAMPLES.Stop)).toMatchObject({ systemMessages: ['fine'], failures: [] });
  });
});

describe('taking an observer out', () => {
  it('MS-15 ends it for fires that begin later; those that have begun are followed to their end', async () => {
    const runner = makeRunner();
    const [one, two] = [see(runner), see(runner)];
    const free = gate();
    runner.on('Stop', { name: 'waits' }, () => free.passed);
    const first = runner.fire('Stop', SAMPLES.Stop);
    one.stop();
    one.stop();
    const second = runner.fire('Stop', SAMPLES.Stop);
    two.stop();
    free.open();
    await Promise.all([first, second, runner.fire('Stop', SAMPLES.Stop)]);
    const whole = ['begin', 'waits started', 'waits response', 'end'];
    expect(one.fires.map(({ told }) => told)).toEqual([whole]);
    expect(two.fires.map(({ told }) => told)).toEqual([whole, whole]);
  });

  it('MS-15 one that takes itself out while it is called, or adds another, disturbs no other', async () => {
    const runner = makeRunner();
    const added: { fires: readonly Seen[] }[] = [];
    const stop = runner.observe(() => {
      stop();
      added.push(see(runner));
    });
    const after = see(runner);
    await runner.fire('Stop', SAMPLES.Stop);
    await runner.fire('Stop', SAMPLES.Stop);
    expect([added.length, added[0]?.fires.length, after.fires.length]).toEqual([1, 1, 2]);
  });

  it('MS-15 the same function may observe twice, each time for itself', async () => {
    const runner = makeRunner();
    let begun = 0;
    const observer = (): void => {
      begun += 1;
    };
    const stops = [runner.observe(observer), runner.observe(observer)];
    await runner.fire('Stop', SAMPLES.Stop);
    expect(begun).toBe(2);
    stops[0]?.();
    await runner.fire('Stop', SAMPLES.Stop);
    expect(begun).toBe(3);
  });
});
