import type { SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, it } from 'vitest';
import {
  HOOK_EVENTS,
  type HookEvent,
  type HookRunner,
  NoopRunner,
  type RunnerOptions,
} from '../../src/index.js';
import { type SdkHookOptions, toSdkHooks } from '../../src/integrations/claude-agent-sdk/index.js';
import { makeRunner, untyped, watchProcess } from '../support/runner.js';
import { hostOf } from './support/sdk-host.js';

watchProcess();

/** A host whose hooks for an event give these answers, one after another. */
function hostWith(
  event: HookEvent,
  answers: readonly object[],
  options: SdkHookOptions = {},
  runnerOptions: RunnerOptions = {},
) {
  const { runner } = makeRunner(runnerOptions);
  for (const answer of answers) untyped(runner).on(event, () => answer);
  return hostOf(toSdkHooks(runner, options));
}

const pre = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
const post = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', ...fields } });

describe('the callbacks', () => {
  it('AD-1: there is one for each of the fifteen events, and it fires the runner with what the SDK gave', async () => {
    const { runner } = makeRunner();
    const seen: unknown[] = [];
    for (const event of HOOK_EVENTS) {
      untyped(runner).on(event, (input: { session_id: string }, id: string) => {
        seen.push([event, input.session_id, id]);
      });
    }
    const hooks = toSdkHooks(runner);
    expect(Object.keys(hooks)).toEqual([...HOOK_EVENTS]);
    for (const event of HOOK_EVENTS) {
      expect(hooks[event]).toHaveLength(1);
      expect(hooks[event]?.[0]).toMatchObject({ hooks: [expect.any(Function)], timeout: 86_400 });
      expect(hooks[event]?.[0]?.matcher).toBeUndefined();
      expect(await hostOf(hooks).ask(event, {}, { toolUseID: `id of ${event}` })).toEqual({});
    }
    const session = '0b5fd5a0-1111-4222-8333-444455556666';
    // Before the first, the session starts.
    expect(seen).toEqual([
      ['SessionStart', session, undefined],
      ...HOOK_EVENTS.map((event) => [event, session, `id of ${event}`]),
    ]);
  });

  it('AD-1: the runner matches, with its own globs, for the agent that was named', async () => {
    const { runner } = makeRunner();
    const seen: string[] = [];
    runner.on('PreToolUse', { matcher: 'mcp__*|Write' }, ({ tool_name }) => void seen.push(tool_name));
    runner.forAgent('ada').on('PreToolUse', ({ tool_name }) => void seen.push(`ada ${tool_name}`));
    const host = hostOf(toSdkHooks(runner, { agentId: 'ada' }));
    await host.ask('PreToolUse', { tool_name: 'mcp__git__push' });
    await host.ask('PreToolUse', { tool_name: 'Bash' });
    expect(seen).toEqual(['mcp__git__push', 'ada mcp__git__push', 'ada Bash']);
  });

  it('AD-1: only the events that are wanted are asked about', () => {
    const { runner } = makeRunner();
    expect(Object.keys(toSdkHooks(runner, { events: ['Stop', 'PreToolUse', 'Stop'] }))).toEqual([
      'Stop',
      'PreToolUse',
    ]);
  });

  it('AD-2: hooks that were there before stay as they are, before ours', async () => {
    const { runner } = makeRunner();
    const theirs = { matcher: 'Bash', hooks: [async () => ({ continue: true })], timeout: 3 };
    const merge = { PreToolUse: [theirs], NewerEvent: [theirs] };
    const hooks = toSdkHooks(runner, { merge, events: ['PreToolUse'] });
    expect(hooks.PreToolUse).toHaveLength(2);
    expect(hooks.PreToolUse?.[0]).toBe(theirs);
    expect((hooks as Record<string, unknown>)['NewerEvent']).toEqual([theirs]);
    expect(merge.PreToolUse).toEqual([theirs]);
  });

  it('AD-3: a matcher of the SDK narrows what we are asked about', () => {
    const { runner } = makeRunner();
    const hooks = toSdkHooks(runner, { matchers: { PreToolUse: 'Bash|Write', Stop: '^x' } });
    expect(hooks.PreToolUse?.[0]?.matcher).toBe('Bash|Write');
    expect(hooks.PostToolUse?.[0]?.matcher).toBeUndefined();
  });

  it.each([
    ['a matcher that would never match', { matchers: { PreToolUse: 'Bash(' } }, 'invalid_matcher'],
    ['an event that does not exist', { events: ['PreToolUs'] }, 'unknown_event'],
    ['a matcher for such an event', { matchers: { PreToolUs: 'Bash' } }, 'unknown_event'],
    ['a timeout that no timer can hold', { timeout: 1e9 }, 'invalid_timeout'],
    ['a mailbox without an agent', { mailbox: {} }, 'invalid_option'],
    ['a policy that does not exist', { onError: 'open' }, 'invalid_option'],
    ['too little room', { maxContext: 10 }, 'invalid_option'],
    ['a number of stops that is none', { maxStops: -1 }, 'invalid_option'],
  ])('AD-18: %s is refused when it is given', (_name, options, code) => {
    const { runner } = makeRunner();
    expect(() => toSdkHooks(runner, options as never)).toThrow(expect.objectContaining({ code }));
  });
});

describe('before a tool', () => {
  it.each([
    ['deny', 'no', { permissionDecision: 'deny', permissionDecisionReason: 'no' }],
    ['ask', 'sure?', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }],
    ['allow', undefined, { permissionDecision: 'allow' }],
  ])('AD-4: %s is passed on with its reason', async (permissionDecision, reason, expected) => {
    const given = { permissionDecision, ...(reason && { permissionDecisionReason: reason }) };
    const host = hostWith('PreToolUse', [pre(given)]);
    expect(await host.ask('PreToolUse')).toEqual(pre(expected));
  });

  it('AD-4: a rewritten input is passed on whole, also an empty one, and decides nothing by itself', async () => {
    expect(await hostWith('PreToolUse', [pre({ updatedInput: {} })]).ask('PreToolUse')).toEqual(
      pre({ updatedInput: {} }),
    );
    const both = [
      pre({ updatedInput: { command: 'a' } }),
      pre({ updatedInput: { command: 'b' }, permissionDecision: 'allow' }),
    ];
    expect(await hostWith('PreToolUse', both).ask('PreToolUse')).toEqual(
      pre({ permissionDecision: 'allow', updatedInput: { command: 'b' } }),
    );
  });

  it('AD-4: an old-style block is a deny too, whatever others allow', async () => {
    const host = hostWith('PreToolUse', [
      pre({ permissionDecision: 'allow' }),
      { decision: 'block', reason: 'never' },
    ]);
    expect(await host.ask('PreToolUse')).toEqual(
      pre({ permissionDecision: 'deny', permissionDecisionReason: 'never' }),
    );
  });

  it('AD-4: what is put off is refused: the SDK would run a tool whose decision it does not know', async () => {
    const host = hostWith('PreToolUse', [pre({ permissionDecision: 'defer' })]);
    expect(await host.ask('PreToolUse')).toMatchObject(pre({ permissionDecision: 'deny' }));
  });

  it('AD-4: where nobody can be asked, asking is refusing', async () => {
    const answer = pre({ permissionDecision: 'ask', permissionDecisionReason: 'it costs money' });
    const host = hostWith('PreToolUse', [answer], { onAsk: 'deny' });
    expect(await host.ask('PreToolUse')).toEqual(
      pre({
        permissionDecision: 'deny',
        permissionDecisionReason: "This needs a person's approval: it costs money",
      }),
    );
  });

  it('AD-8: the end of the run refuses the tool, and every later one until the next prompt', async () => {
    const host = hostWith('PreToolUse', [{ continue: false, stopReason: 'enough' }]);
    const refused = {
      continue: false,
      stopReason: 'enough',
      ...pre({ permissionDecision: 'deny', permissionDecisionReason: 'enough' }),
    };
    expect(await host.ask('PreToolUse')).toEqual(refused);
    const { runner } = makeRunner();
    let ends = true;
    runner.on('PreToolUse', () => (ends ? { continue: false } : {}));
    const other = hostOf(toSdkHooks(runner));
    await other.ask('PreToolUse');
    ends = false;
    expect(await other.ask('PreToolUse')).toMatchObject(pre({ permissionDecision: 'deny' }));
    await other.ask('UserPromptSubmit');
    expect(await other.ask('PreToolUse')).toEqual({});
  });
});

describe('permission requests', () => {
  const request = (decision: object) => ({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
  });

  it('AD-7: allow and deny are passed on with what belongs to them', async () => {
    const rule = {
      type: 'addRules',
      rules: [{ toolName: 'Bash' }],
      behavior: 'allow',
      destination: 'session',
    };
    const allow = { behavior: 'allow', updatedInput: { command: 'b' }, updatedPermissions: [rule] };
    expect(await hostWith('PermissionRequest', [request(allow)]).ask('PermissionRequest')).toEqual(
      request(allow),
    );
    const deny = { behavior: 'deny', message: 'no', interrupt: true };
    const both = [request(allow), request(deny)];
    expect(await hostWith('PermissionRequest', both).ask('PermissionRequest')).toEqual(request(deny));
  });

  it('AD-7: without an opinion the host asks whom it would ask', async () => {
    expect(await hostWith('PermissionRequest', [{}]).ask('PermissionRequest')).toEqual({});
  });
});

describe('after a tool', () => {
  it('AD-5: a refusal is a block with its reason', async () => {
    for (const event of ['PostToolUse', 'PostToolUseFailure'] as const) {
      const host = hostWith(event, [{ decision: 'block', reason: 'look at the types' }]);
      expect(await host.ask(event)).toEqual({ decision: 'block', reason: 'look at the types' });
    }
  });

  it.each([
    ['a text', 'short', 'short'],
    ['blocks', [{ type: 'text', text: 'b' }], [{ type: 'text', text: 'b' }]],
    ['a whole result', { content: [{ type: 'text', text: 'c' }] }, [{ type: 'text', text: 'c' }]],
    ['something else', { rows: 3 }, '{"rows":3}'],
    ['nothing', null, 'null'],
  ])('AD-5: the output of an MCP tool becomes %s that the SDK takes', async (_name, given, expected) => {
    const host = hostWith('PostToolUse', [post({ updatedMCPToolOutput: given })]);
    expect(await host.ask('PostToolUse', { tool_name: 'mcp__db__read' })).toEqual(
      post({ updatedMCPToolOutput: expected }),
    );
  });

  it("AD-5: the output of the host's own tools goes under the name that newer hosts know", async () => {
    const host = hostWith('PostToolUse', [post({ updatedToolOutput: { stdout: '' } })]);
    expect(await host.ask('PostToolUse')).toEqual(post({ updatedToolOutput: { stdout: '' } }));
  });
});

describe('the end of a turn', () => {
  it.each(['Stop', 'SubagentStop'] as const)('AD-6: %s goes on with a reason', async (event) => {
    const going = { decision: 'block' };
    const host = (answer: object) => hostWith(event, [answer]);
    expect(await host({ decision: 'block', reason: 'more' }).ask(event)).toEqual({
      ...going,
      reason: 'more',
    });
    expect(await host({ continue: true }).ask(event)).toMatchObject(going);
    const context = { hookSpecificOutput: { hookEventName: event, additionalContext: 'read this' } };
    expect(await host(context).ask(event)).toEqual({ ...going, reason: 'read this' });
    expect(await host({ continue: false, decision: 'block', reason: 'x' }).ask(event)).toEqual({
      continue: false,
    });
    expect(await host({}).ask(event)).toEqual({});
  });

  it('AD-6: after so many times in a row the turn ends, and people are told', async () => {
    const host = hostWith('Stop', [{ decision: 'block', reason: 'more' }], { maxStops: 2 });
    const ask = (stop_hook_active: boolean) => host.ask('Stop', { stop_hook_active });
    expect(await ask(false)).toMatchObject({ decision: 'block' });
    expect(await ask(true)).toMatchObject({ decision: 'block' });
    expect(await ask(true)).toEqual({ systemMessage: expect.stringContaining('2 times in a row') });
    expect(await ask(false)).toMatchObject({ decision: 'block' });
  });
});

/** The events that the SDK has a specific answer for; it drops the whole answer where it has none. */
const SPECIFIC: readonly string[] = [
  'PreToolUse',
  'UserPromptSubmit',
  'SessionStart',
  'Setup',
  'SubagentStart',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'PermissionRequest',
] satisfies NonNullable<SyncHookJSONOutput['hookSpecificOutput']>['hookEventName'][];

/** A runner whose hooks say everything that can be said, on every event. */
const talkative: HookRunner = {
  async fire(event) {
    const nothing = await new NoopRunner().fire(event, {} as never);
    const result = { hookId: '1', name: 'all', outcome: 'success', durationMs: 0, continue: false } as const;
    return {
      ...nothing,
      results: [result],
      decision: 'deny',
      reason: 'because',
      continue: false,
      stopReason: 'why',
      suppressOutput: true,
      systemMessages: ['hear'],
      additionalContext: ['read'],
      injections: [{ content: 'this', strategy: 'tool_result' }],
      updatedInput: {},
      updatedOutput: 'new',
    };
  },
};

describe('every event', () => {
  it.each(HOOK_EVENTS)(
    'AD-9: however much hooks say, the SDK gets only what it knows of %s',
    async (event) => {
      const answer = await hostOf(toSdkHooks(talkative)).ask(event);
      expect(answer.hookSpecificOutput?.hookEventName).toBe(SPECIFIC.includes(event) ? event : undefined);
      const known = ['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason'];
      expect([...known, 'hookSpecificOutput']).toEqual(expect.arrayContaining(Object.keys(answer)));
    },
  );

  it('AD-9: what is said to all alike is passed on, and nothing is ever asynchronous', async () => {
    const everything = {
      continue: false,
      stopReason: 'why',
      suppressOutput: true,
      systemMessage: 'hear',
      decision: 'block',
      reason: 'because',
    };
    for (const event of HOOK_EVENTS) {
      const answer = await hostWith(event, [
        everything,
        { async: true, result: Promise.resolve({ systemMessage: 'later' }) },
      ]).ask(event);
      expect(answer, event).toMatchObject({ continue: false, stopReason: 'why', suppressOutput: true });
      expect(answer.systemMessage, event).toBe('hear\nlater');
      expect(answer, event).not.toHaveProperty('async');
    }
  });

  it.each([
    ['UserPromptSubmit', { decision: 'block', reason: 'no' }],
    ['PreCompact', { decision: 'block', reason: 'no' }],
    ['TaskCompleted', { decision: 'block', reason: 'no' }],
    ['TeammateIdle', { decision: 'block', reason: 'no' }],
    ['Notification', {}],
    ['SessionStart', {}],
    ['SessionEnd', {}],
    ['SubagentStart', {}],
    ['Setup', {}],
  ] as const)('AD-5: a refusal of %s is told where it prevents something', async (event, expected) => {
    expect(await hostWith(event, [{ decision: 'block', reason: 'no' }]).ask(event)).toEqual(expected);
  });

  it('AD-11: context, injected content and what is said to the model are told together', async () => {
    const { runner } = makeRunner();
    untyped(runner).on('PostToolUse', () => post({ additionalContext: 'context' }));
    untyped(runner).on('PostToolUse', { dialect: 'massgen' }, () => ({
      inject: { content: 'injected', strategy: 'user_message' },
    }));
    runner.on('PostToolUse', () => ({ systemMessage: 'system' }));
    expect(await hostOf(toSdkHooks(runner)).ask('PostToolUse')).toEqual({
      systemMessage: 'system',
      ...post({ additionalContext: 'context\n\n<system-reminder>\ninjected\n</system-reminder>\n\nsystem' }),
    });
  });

  it('AD-11: what is said to the model where it cannot be told, and late answers, come with the next result', async () => {
    const { runner } = makeRunner();
    let fired = 0;
    runner.on('Stop', () => ({ systemMessage: 'said at the end' }));
    untyped(runner).on('UserPromptSubmit', { dialect: 'claude-code' }, () => {
      fired += 1;
      return fired > 1
        ? {}
        : {
            async: true,
            result: Promise.resolve({
              hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'found out late' },
            }),
          };
    });
    const host = hostOf(toSdkHooks(runner));
    await host.ask('UserPromptSubmit');
    await runner.drain();
    await host.ask('Stop');
    expect(await host.ask('UserPromptSubmit')).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: 'said at the end\n\nfound out late',
      },
    });
    expect(await host.ask('PostToolUse')).toEqual({});
  });
});

describe('faults', () => {
  it("AD-10: a guard's failure is a deny, wherever the table says that something can be prevented", async () => {
    const { runner } = makeRunner({ onFailure: 'block' });
    for (const event of ['PreToolUse', 'UserPromptSubmit'] as const) {
      untyped(runner).on(event, () => {
        throw new Error('broken');
      });
    }
    const host = hostOf(toSdkHooks(runner));
    expect(await host.ask('PreToolUse')).toMatchObject(
      pre({ permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('broken') }),
    );
    expect(await host.ask('UserPromptSubmit')).toMatchObject({ decision: 'block' });
  });

  it('AD-10: hooks that cannot be asked refuse, or not, as the option says; the problem is told', async () => {
    const { runner } = makeRunner();
    await runner.dispose();
    const problems: Error[] = [];
    const closed = hostOf(toSdkHooks(runner, { onProblem: (problem) => problems.push(problem) }));
    expect(await closed.ask('PreToolUse')).toMatchObject(pre({ permissionDecision: 'deny' }));
    expect(await closed.ask('PermissionRequest')).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'deny' } },
    });
    expect(await closed.ask('Stop')).toEqual({});
    expect(await closed.ask('Notification')).toEqual({});
    expect(problems).toHaveLength(4);
    const open = hostOf(
      toSdkHooks(runner, {
        onError: 'continue',
        onProblem: () => {
          throw new Error('a listener that fails');
        },
      }),
    );
    expect(await open.ask('PreToolUse')).toEqual({});
  });

  it('AD-10: an input that the table does not know is a refusal as well', async () => {
    const { runner } = makeRunner();
    runner.on('PreToolUse', () => {});
    const host = hostOf(toSdkHooks(runner));
    expect(await host.ask('PreToolUse', { tool_name: 7 } as never)).toMatchObject(
      pre({ permissionDecision: 'deny' }),
    );
  });

  it('AD-10: a runner that ended while it was asked has not asked everybody', async () => {
    const outcome = { event: 'PreToolUse', results: [], systemMessages: [], additionalContext: [] };
    const cut = { ...outcome, injections: [], hookSpecificOutputs: [], aborted: true };
    const runner = { fire: async () => cut as never };
    expect(await hostOf(toSdkHooks(runner)).ask('PreToolUse')).toMatchObject(
      pre({ permissionDecision: 'deny' }),
    );
  });
});
