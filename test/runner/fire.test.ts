import type {
  HookCallback as SdkCallback,
  HookEvent as SdkEvent,
  HookCallbackMatcher as SdkMatcher,
} from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import {
  HOOK_EVENTS,
  type HookEvent,
  type HookOutput,
  type HookRunner,
  NoopRunner,
  Runner,
} from '../../src/index.js';
import { bash, makeRunner, refusalOf, SAMPLES, soon, untyped, watchProcess } from '../support/runner.js';

watchProcess();

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('every event', () => {
  it.each(HOOK_EVENTS)(
    'EV-1 EV-2 %s fires: its hook gets the full input, its answer arrives',
    async (event) => {
      const { runner, record } = makeRunner({
        sessionId: 's',
        transcriptPath: '/t.jsonl',
        cwd: '/home/ada/app',
      });
      const inputs: unknown[] = [];
      untyped(runner).on(event, (input: unknown) => {
        inputs.push(plain(input));
        return { systemMessage: `heard ${event}` };
      });
      const outcome = await untyped(runner).fire(event, SAMPLES[event]);
      expect(outcome).toMatchObject({
        event,
        systemMessages: [`heard ${event}`],
        failures: [],
        aborted: false,
      });
      expect(inputs).toEqual([
        {
          session_id: 's',
          transcript_path: '/t.jsonl',
          cwd: '/home/ada/app',
          hook_event_name: event,
          ...SAMPLES[event],
        },
      ]);
      expect(record.messages.map((message) => message.hook_event)).toEqual([event, event]);
    },
  );

  it.each(HOOK_EVENTS)('EV-1 hooks of other events do not run for %s', async (event) => {
    const { runner } = makeRunner();
    const ran: string[] = [];
    for (const other of HOOK_EVENTS) untyped(runner).on(other, () => void ran.push(other));
    await untyped(runner).fire(event, SAMPLES[event]);
    expect(ran).toEqual([event]);
  });
});

describe('the input', () => {
  it('EV-2 the common fields come first, in the order of the wire', async () => {
    const { runner } = makeRunner({ permissionMode: 'plan' });
    let keys: string[] = [];
    runner.on('PreToolUse', (input) => {
      keys = Object.keys(input);
    });
    await runner.fire('PreToolUse', bash());
    expect(keys).toEqual([
      'session_id',
      'transcript_path',
      'cwd',
      'permission_mode',
      'hook_event_name',
      'tool_name',
      'tool_input',
      'tool_use_id',
    ]);
  });

  it('EV-3 a field given to `fire` overrides the runner’s; an undefined one does not', async () => {
    const { runner } = makeRunner({ sessionId: 'own', cwd: '/own', permissionMode: 'default' });
    const seen: unknown[] = [];
    runner.on('Stop', (input) => void seen.push(plain(input)));
    await untyped(runner).fire('Stop', {
      ...SAMPLES.Stop,
      session_id: 'given',
      cwd: undefined,
      permission_mode: undefined,
      prompt_id: undefined,
    });
    expect(seen).toEqual([
      {
        session_id: 'given',
        transcript_path: '',
        cwd: '/own',
        permission_mode: 'default',
        hook_event_name: 'Stop',
        stop_hook_active: false,
      },
    ]);
  });

  it('EV-4 unknown keys pass through', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('Stop', (input) => void seen.push((input as { invented?: unknown }).invented));
    await untyped(runner).fire('Stop', { ...SAMPLES.Stop, invented: 'tomorrow' });
    expect(seen).toEqual(['tomorrow']);
  });

  const broken: [string, HookEvent, unknown, string][] = [
    ['undefined', 'Stop', undefined, 'stop_hook_active'],
    ['null', 'Stop', null, 'stop_hook_active'],
    ['a string', 'Stop', 'stop', 'stop_hook_active'],
    ['a number', 'Stop', 5, 'stop_hook_active'],
    ['a list', 'Stop', [1], 'stop_hook_active'],
    ['a missing field', 'PreToolUse', { tool_input: {}, tool_use_id: 'x' }, 'tool_name'],
    ['a wrong type', 'Stop', { stop_hook_active: 'no' }, 'stop_hook_active'],
    ['a number in the place of a word', 'SessionStart', { source: 7 }, 'source'],
    ['another event’s name', 'Stop', { ...SAMPLES.Stop, hook_event_name: 'PreToolUse' }, 'hook_event_name'],
    ['a session id that is a number', 'Stop', { ...SAMPLES.Stop, session_id: 5 }, 'session_id'],
  ];

  it.each(broken)(
    'EV-5 %s is refused with invalid_input, and nothing runs',
    async (_, event, input, field) => {
      const { runner, record } = makeRunner();
      let calls = 0;
      untyped(runner).on(event, () => {
        calls += 1;
      });
      const { code, message } = await refusalOf(() => untyped(runner).fire(event, input));
      expect(code).toBe('invalid_input');
      expect(message).toContain(event);
      expect(message).toContain(field);
      expect(calls).toBe(0);
      expect(record.messages).toEqual([]);
    },
  );

  it('EV-5 an input that cannot be read is refused in the same way', async () => {
    const { runner } = makeRunner();
    let calls = 0;
    runner.on('Stop', () => {
      calls += 1;
    });
    const hostile = {
      get stop_hook_active(): boolean {
        throw new Error('no access');
      },
    };
    const { code, message } = await refusalOf(() => runner.fire('Stop', hostile));
    expect(code).toBe('invalid_input');
    expect(message).toContain('no access');
    expect(calls).toBe(0);
  });

  it('EV-5 a refused fire is a rejection, never a throw, and the next one works', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', () => ({ continue: true }));
    const refused = untyped(runner).fire('Stop', {});
    await expect(refused).rejects.toMatchObject({ name: 'HookError', code: 'invalid_input' });
    expect((await runner.fire('Stop', SAMPLES.Stop)).continue).toBe(true);
  });

  it.each(['pretooluse', 'BeforeTool', '', 'toString', '__proto__', 42, null, undefined, {}, Symbol('x')])(
    'EV-6 %s is refused with unknown_event, as a rejection',
    async (event) => {
      const { runner } = makeRunner();
      await expect(untyped(runner).fire(event, {})).rejects.toMatchObject({ code: 'unknown_event' });
      await expect(untyped(runner.forAgent('a')).fire(event, {})).rejects.toMatchObject({
        code: 'unknown_event',
      });
    },
  );

  it('EV-6 a name that cannot be shown is refused as a rejection too', async () => {
    const { runner } = makeRunner();
    let refused: Promise<unknown> | undefined;
    expect(() => {
      refused = untyped(runner).fire(Object.create(null), {});
    }).not.toThrow();
    await expect(refused).rejects.toMatchObject({ code: 'unknown_event' });
  });

  it('EV-6 a name in another spelling gets the right one suggested', async () => {
    const { runner } = makeRunner();
    const { message } = await refusalOf(() => untyped(runner).fire('pre_tool_use', {}));
    expect(message).toContain('Did you mean PreToolUse?');
  });

  it.each([null, {}, 'abort'])('EV-5 a signal that is %j is refused with a HookError', async (signal) => {
    const { runner } = makeRunner();
    runner.on('Stop', () => undefined);
    await refusalOf(() => untyped(runner).fire('Stop', SAMPLES.Stop, { signal }));
  });
});

describe('no hook is registered', () => {
  it.each(HOOK_EVENTS)('EV-7 %s answers with one shared, frozen, empty outcome', async (event) => {
    const first = await untyped(new Runner()).fire(event, SAMPLES[event]);
    const second = await untyped(new Runner({ onFailure: 'block' })).fire(event, SAMPLES[event]);
    expect(second).toBe(first);
    expect(first).toEqual({
      event,
      results: [],
      suppressOutput: false,
      systemMessages: [],
      additionalContext: [],
      hookSpecificOutputs: [],
      injections: [],
      failures: [],
      pending: [],
      notes: [],
      aborted: false,
    });
    expect(Object.isFrozen(first)).toBe(true);
    for (const value of Object.values(first)) expect(Object.isFrozen(value)).toBe(true);
  });

  it('EV-7 the input is not looked at', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', () => undefined);
    const hostile = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('looked at');
        },
        get() {
          throw new Error('looked at');
        },
      },
    );
    expect((await untyped(runner).fire('PreToolUse', hostile)).results).toEqual([]);
    expect((await untyped(runner).fire('PreToolUse', undefined)).results).toEqual([]);
  });

  it('EV-7 the outcome of a fire with hooks is not the shared one, and can be changed without harm', async () => {
    const { runner } = makeRunner();
    const dispose = runner.on('Stop', () => undefined);
    const outcome = await runner.fire('Stop', SAMPLES.Stop);
    expect(Object.isFrozen(outcome)).toBe(false);
    (outcome.results as unknown[]).length = 0;
    expect((await runner.fire('Stop', SAMPLES.Stop)).results).toHaveLength(1);
    dispose();
    expect((await runner.fire('Stop', SAMPLES.Stop)).results).toHaveLength(0);
  });

  it('EV-7 an empty list of hooks is no hook', async () => {
    const { runner } = makeRunner({ hooks: { Stop: [{ hooks: [] }] } });
    runner.on('Stop', []);
    expect(await runner.fire('Stop', {} as never)).toBe(await new Runner().fire('Stop', SAMPLES.Stop));
  });

  it('EV-7 EV-5 hooks that do not match: empty outcome, but the input is checked', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { matcher: 'Edit' }, () => ({ decision: 'block' }));
    expect(await runner.fire('PreToolUse', bash())).toMatchObject({ results: [], aborted: false });
    const { code } = await refusalOf(() => untyped(runner).fire('PreToolUse', {}));
    expect(code).toBe('invalid_input');
  });
});

describe('ids', () => {
  it('EV-8 options.agentId is seen as agent_id, unless the input has its own', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    runner.on('Stop', (input, _id, context) => void seen.push([input.agent_id, context.agentId]));
    await runner.fire('Stop', SAMPLES.Stop);
    await runner.fire('Stop', SAMPLES.Stop, { agentId: 'a' });
    await runner.forAgent('b').fire('Stop', SAMPLES.Stop);
    await runner.fire('Stop', { ...SAMPLES.Stop, agent_id: 'own' }, { agentId: 'a' });
    expect(seen).toEqual([
      [undefined, undefined],
      ['a', 'a'],
      ['b', 'b'],
      ['own', 'a'],
    ]);
  });

  it('EV-8 options.toolUseID is seen as tool_use_id where the event has one, unless the input has its own', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    const see = (input: object, toolUseID: string | undefined): void =>
      void seen.push([(input as { tool_use_id?: string }).tool_use_id, toolUseID]);
    for (const event of ['PreToolUse', 'PermissionRequest', 'Stop']) untyped(runner).on(event, see);
    const { tool_use_id: _, ...withoutId } = bash();
    const options = { toolUseID: 'of the options' };
    await untyped(runner).fire('PreToolUse', withoutId, options);
    await runner.fire('PreToolUse', { ...bash(), tool_use_id: 'own' });
    await runner.fire('PreToolUse', { ...bash(), tool_use_id: 'own' }, options);
    await runner.fire('PermissionRequest', SAMPLES.PermissionRequest, options);
    await runner.fire('Stop', SAMPLES.Stop);
    expect(seen).toEqual([
      ['of the options', 'of the options'],
      ['own', 'own'],
      ['own', 'of the options'],
      [undefined, 'of the options'],
      [undefined, undefined],
    ]);
  });
});

describe('decisions', () => {
  it.each([
    ['approve', 'allow'],
    ['block', 'deny'],
    ['allow', 'allow'],
    ['deny', 'deny'],
    [undefined, undefined],
  ] as const)('ME-1 a decision of %s becomes %s', async (given, expected) => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', () => ({ decision: given }));
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome.decision).toBe(expected);
    expect(outcome.results[0]?.decision).toBe(expected);
  });

  it.each(['allow', 'deny', 'ask'] as const)(
    'ME-1 permissionDecision %s is the decision',
    async (decision) => {
      const { runner } = makeRunner();
      runner.on('PreToolUse', () => ({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: decision,
          permissionDecisionReason: `because ${decision}`,
        },
      }));
      const outcome = await runner.fire('PreToolUse', bash());
      expect(outcome).toMatchObject({ decision, reason: `because ${decision}` });
      expect(outcome.hookSpecificOutputs).toEqual([
        {
          hookEventName: 'PreToolUse',
          permissionDecision: decision,
          permissionDecisionReason: `because ${decision}`,
        },
      ]);
    },
  );

  const says = (permissionDecision: 'allow' | 'deny' | 'ask'): HookOutput<'PreToolUse'> => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      permissionDecisionReason: permissionDecision,
    },
  });

  it.each([
    [['allow', 'ask'], 'allow', 'ask'],
    [['ask', 'allow'], 'allow', 'ask'],
    [['ask', 'deny', 'allow'], 'deny', 'deny'],
    [['allow', 'deny'], 'deny', 'deny'],
    [['ask'], 'ask', 'ask'],
    [['allow'], 'allow', 'allow'],
    [[], undefined, undefined],
  ] as const)(
    'ME-2 ME-3 ME-4 %j is %s by default and %s with ask-over-allow',
    async (given, normal, strict) => {
      for (const [precedence, expected] of [
        [undefined, normal],
        ['allow-over-ask', normal],
        ['ask-over-allow', strict],
      ] as const) {
        const { runner } = makeRunner({ precedence });
        runner.on('PreToolUse', () => undefined);
        for (const each of given) runner.on('PreToolUse', () => says(each));
        const outcome = await runner.fire('PreToolUse', bash());
        expect(outcome.decision).toBe(expected);
        expect(outcome.reason).toBe(expected);
      }
    },
  );

  it.each([
    ['allow', 'allow'],
    ['deny', 'deny'],
  ] as const)('ME-1 a permission hook that says %s decides %s', async (behavior, expected) => {
    const { runner } = makeRunner();
    let tool = '';
    runner.on('PermissionRequest', (input) => {
      tool = input.tool_name;
      return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior } } };
    });
    expect((await runner.fire('PermissionRequest', SAMPLES.PermissionRequest)).decision).toBe(expected);
    expect(tool).toBe('Bash');
  });
});

describe('which hooks run', () => {
  const calls = async (matcher: string | undefined, tools: readonly string[]): Promise<string[]> => {
    const { runner } = makeRunner();
    const log: string[] = [];
    runner.on('PreToolUse', { matcher }, (input) => void log.push(input.tool_name));
    for (const tool_name of tools) await runner.fire('PreToolUse', { ...bash(), tool_name });
    return log;
  };

  it.each([
    ['Bash', ['Grep', 'Bash', 'bash', 'BashOutput'], ['Bash']],
    ['mcp__*', ['mcp__foo__bar', 'Bash', 'mcp__a/b'], ['mcp__foo__bar', 'mcp__a/b']],
    ['Edit|Write', ['Edit', 'Write', 'Read'], ['Edit', 'Write']],
    ['', ['Bash', 'Grep', 'mcp__foo'], ['Bash', 'Grep', 'mcp__foo']],
    [undefined, ['Bash', 'Grep', 'mcp__foo'], ['Bash', 'Grep', 'mcp__foo']],
    ['*', ['Bash', '.hidden', ''], ['Bash', '.hidden', '']],
  ])('MA-1 MA-2 MA-3 MA-4 the matcher %j', async (matcher, tools, expected) => {
    expect(await calls(matcher, tools)).toEqual(expected);
  });

  it('MA-10 two groups that match both run, in order', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', { matcher: 'Bash' }, () => ({ systemMessage: 'exact' }));
    runner.on('PreToolUse', { matcher: 'Edit' }, () => ({ systemMessage: 'other' }));
    runner.on('PreToolUse', () => ({ systemMessage: 'all' }));
    expect((await runner.fire('PreToolUse', bash())).systemMessages).toEqual(['exact', 'all']);
  });

  it('MA-10 thousands of tool names, one after another, keep finding their hooks', async () => {
    const { runner } = makeRunner();
    let hits = 0;
    runner.on('PreToolUse', { matcher: 'tool-1*' }, () => {
      hits += 1;
    });
    for (let i = 0; i < 3000; i++) await runner.fire('PreToolUse', { ...bash(), tool_name: `tool-${i}` });
    for (let i = 0; i < 3000; i++) await runner.fire('PreToolUse', { ...bash(), tool_name: `tool-${i}` });
    expect(hits).toBe(2 * (1 + 10 + 100 + 1000));
  });
});

describe('results', () => {
  it('ME-6 ME-7 every field of an answer arrives unchanged', async () => {
    const { runner } = makeRunner();
    const specific = {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: 'unsure',
      updatedInput: { command: 'ls -l', nested: { deep: [1, null, 'x'] } },
      additionalContext: 'context',
    } as const;
    runner.on('PreToolUse', () => ({
      continue: false,
      suppressOutput: true,
      stopReason: 'stop here',
      systemMessage: 'to the user',
      reason: 'general',
      hookSpecificOutput: { ...specific, updatedInput: { ...specific.updatedInput } },
    }));
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome).toMatchObject({
      event: 'PreToolUse',
      decision: 'ask',
      reason: 'unsure',
      continue: false,
      stopReason: 'stop here',
      suppressOutput: true,
      systemMessages: ['to the user'],
      additionalContext: ['context'],
      updatedInput: specific.updatedInput,
      hookSpecificOutputs: [specific],
      failures: [],
      pending: [],
      notes: [],
    });
    expect(outcome.results[0]).toMatchObject({
      outcome: 'success',
      decision: 'ask',
      reason: 'unsure',
      message: 'unsure',
      continue: false,
      stopReason: 'stop here',
      suppressOutput: true,
      systemMessage: 'to the user',
      hookSpecificOutput: specific,
    });
  });

  it('FA-2 a hook without an opinion has a result with nothing but its circumstances', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', () => undefined);
    const { results } = await runner.fire('Stop', SAMPLES.Stop);
    expect(results).toEqual([
      { hookId: expect.any(String), name: 'Stop', outcome: 'success', durationMs: expect.any(Number) },
    ]);
  });

  it('ME-8 an updatedMCPToolOutput survives in the hookSpecificOutput and is the updated output', async () => {
    const { runner } = makeRunner();
    runner.on('PostToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: { rows: [1] } },
    }));
    const outcome = await runner.fire('PostToolUse', SAMPLES.PostToolUse);
    expect(outcome.updatedOutput).toEqual({ rows: [1] });
    expect(outcome.results[0]?.hookSpecificOutput).toEqual({
      hookEventName: 'PostToolUse',
      updatedMCPToolOutput: { rows: [1] },
    });
  });

  it('FA-8 unknown keys of an answer are noted and ignored', async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    untyped(runner).on('PreToolUse', { name: 'mine' }, () => ({ decision: 'approve', colour: 'red' }));
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome).toMatchObject({ decision: 'allow', failures: [] });
    expect(outcome.notes).toEqual([
      { hookId: outcome.results[0]?.hookId, name: 'mine', message: expect.stringContaining('colour') },
    ]);
  });

  it('FA-3 an error of one hook leaves the others alone, before and after it', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', () => ({ systemMessage: 'before' }));
    runner.on('PreToolUse', () => Promise.reject(new Error('broken')));
    runner.on('PreToolUse', () => ({ decision: 'approve', systemMessage: 'after' }));
    const outcome = await runner.fire('PreToolUse', bash());
    expect(outcome).toMatchObject({ decision: 'allow', systemMessages: ['before', 'after'] });
    expect(outcome.failures).toHaveLength(1);
  });

  it('ME-6 `continue` and its reason are those of the first hook that stops', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', () => ({ continue: true }));
    runner.on('Stop', () => ({ continue: false, stopReason: 'first' }));
    runner.on('Stop', () => ({ continue: false, stopReason: 'second' }));
    expect(await runner.fire('Stop', SAMPLES.Stop)).toMatchObject({ continue: false, stopReason: 'first' });
  });
});

describe('runners of other kinds', () => {
  it('EV-7 the NoopRunner answers every event with nothing', async () => {
    const runner: HookRunner = new NoopRunner();
    for (const event of HOOK_EVENTS) {
      const outcome = await untyped(runner).fire(event, SAMPLES[event]);
      expect(outcome).toEqual(await untyped(new Runner()).fire(event, SAMPLES[event]));
    }
  });

  it('EV-7 a loop needs no more than the interface: runner, agent’s view and NoopRunner fit it', async () => {
    const { runner } = makeRunner();
    runner.on('Stop', () => ({ continue: true }));
    const loop = async (hooks: HookRunner): Promise<boolean | undefined> =>
      (await hooks.fire('Stop', SAMPLES.Stop)).continue;
    expect(await loop(runner)).toBe(true);
    expect(await loop(runner.forAgent('a'))).toBe(true);
    expect(await loop(new NoopRunner())).toBeUndefined();
  });

  it('EV-5 `fire` and `on` can be taken out of the agent’s view', async () => {
    const { runner } = makeRunner();
    const { on, fire } = runner.forAgent('a');
    on('Stop', () => ({ continue: true }));
    expect((await fire('Stop', SAMPLES.Stop)).continue).toBe(true);
  });
});

describe('callbacks of the Agent SDK', () => {
  const seen: unknown[] = [];
  const guard: SdkCallback = async (input, toolUseID, { signal }) => {
    seen.push([input.hook_event_name, toolUseID, signal.aborted]);
    if (input.hook_event_name !== 'PreToolUse') return {};
    const { command } = input.tool_input as { command: string };
    return command.startsWith('rm')
      ? {
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'deny',
            permissionDecisionReason: 'no deleting',
          },
        }
      : { continue: true };
  };

  it('EV-9 one declared with the SDK’s own type runs unchanged', async () => {
    const { runner } = makeRunner();
    seen.length = 0;
    runner.on('PreToolUse', guard);
    runner.on('Stop', { name: 'guard' }, guard);
    expect(await runner.fire('PreToolUse', bash('rm -rf /'))).toMatchObject({
      decision: 'deny',
      reason: 'no deleting',
      failures: [],
    });
    expect((await runner.fire('PreToolUse', bash('ls'))).decision).toBeUndefined();
    expect((await runner.fire('Stop', SAMPLES.Stop)).failures).toEqual([]);
    expect(seen).toEqual([
      ['PreToolUse', 'use-1', false],
      ['PreToolUse', 'use-1', false],
      ['Stop', undefined, false],
    ]);
  });

  it('EV-9 a configuration declared with the SDK’s own types runs unchanged', async () => {
    const hooks: Partial<Record<SdkEvent, SdkMatcher[]>> = {
      PreToolUse: [{ matcher: 'Bash', hooks: [guard], timeout: 5 }],
    };
    const runner = new Runner({ hooks });
    const outcome = await soon(runner.fire('PreToolUse', bash('rm x')));
    expect(outcome.decision).toBe('deny');
    const other = await runner.fire('PreToolUse', { ...bash('rm x'), tool_name: 'Edit' });
    expect(other.results).toEqual([]);
  });
});
