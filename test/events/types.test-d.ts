/** Our types against the Agent SDK's, event by event and in both directions. Checked by the compiler, never run. */
import type * as sdk from '@anthropic-ai/claude-agent-sdk';
import { describe, expectTypeOf, it } from 'vitest';
import {
  type FireInput,
  type Hook,
  type HookCallback,
  type HookConfig,
  type HookEvent,
  type HookInput,
  type HookInputs,
  type HookMessage,
  type HookOutcome,
  type HookOutput,
  type HookProgressMessage,
  type HookResponseMessage,
  type HookSpecificOutput,
  type HookStartedMessage,
  type Injection,
  NoopRunner,
  type PermissionDecision,
  Runner,
} from '../../src/index.js';

interface TheirInputs {
  PreToolUse: sdk.PreToolUseHookInput;
  PostToolUse: sdk.PostToolUseHookInput;
  PostToolUseFailure: sdk.PostToolUseFailureHookInput;
  Notification: sdk.NotificationHookInput;
  UserPromptSubmit: sdk.UserPromptSubmitHookInput;
  SessionStart: sdk.SessionStartHookInput;
  SessionEnd: sdk.SessionEndHookInput;
  Stop: sdk.StopHookInput;
  SubagentStart: sdk.SubagentStartHookInput;
  SubagentStop: sdk.SubagentStopHookInput;
  PreCompact: sdk.PreCompactHookInput;
  PermissionRequest: sdk.PermissionRequestHookInput;
  Setup: sdk.SetupHookInput;
  TeammateIdle: sdk.TeammateIdleHookInput;
  TaskCompleted: sdk.TaskCompletedHookInput;
}

interface TheirSpecificOutputs {
  PreToolUse: sdk.PreToolUseHookSpecificOutput;
  PostToolUse: sdk.PostToolUseHookSpecificOutput;
  PostToolUseFailure: sdk.PostToolUseFailureHookSpecificOutput;
  Notification: sdk.NotificationHookSpecificOutput;
  UserPromptSubmit: sdk.UserPromptSubmitHookSpecificOutput;
  SessionStart: sdk.SessionStartHookSpecificOutput;
  SubagentStart: sdk.SubagentStartHookSpecificOutput;
  PermissionRequest: sdk.PermissionRequestHookSpecificOutput;
  Setup: sdk.SetupHookSpecificOutput;
}

type Optional<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? true : false;
type Mutual<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The names of their fields that ours lack, or have with another type or optionality; never, when all is well. */
type Differing<Ours, Theirs> = {
  [K in keyof Theirs]-?: K extends keyof Ours
    ? Mutual<Ours[K], Theirs[K]> extends true
      ? Mutual<Optional<Ours, K>, Optional<Theirs, K>> extends true
        ? never
        : K
      : K
    : K;
}[keyof Theirs];

/** The inputs whose words newer SDKs have more of. */
type Widened = HookInput<'SessionStart'> | HookInput<'SessionEnd'>;

type DifferingInput<E extends HookEvent> = Differing<HookInputs[E], TheirInputs[E]>;

describe('the names of events', () => {
  it('EV-1 EV-9 ours are theirs', () => {
    expectTypeOf<HookEvent>().toEqualTypeOf<sdk.HookEvent>();
    expectTypeOf<HookEvent>().toEqualTypeOf<keyof TheirInputs>();
  });
});

describe('inputs', () => {
  it('EV-9 a hook written for their input can be given ours, event by event', () => {
    expectTypeOf<HookInput<'PreToolUse'>>().toExtend<TheirInputs['PreToolUse']>();
    expectTypeOf<HookInput<'PostToolUse'>>().toExtend<TheirInputs['PostToolUse']>();
    expectTypeOf<HookInput<'PostToolUseFailure'>>().toExtend<TheirInputs['PostToolUseFailure']>();
    expectTypeOf<HookInput<'Notification'>>().toExtend<TheirInputs['Notification']>();
    expectTypeOf<HookInput<'UserPromptSubmit'>>().toExtend<TheirInputs['UserPromptSubmit']>();
    expectTypeOf<Omit<HookInput<'SessionStart'>, 'source'>>().toExtend<
      Omit<TheirInputs['SessionStart'], 'source'>
    >();
    expectTypeOf<Omit<HookInput<'SessionEnd'>, 'reason'>>().toExtend<
      Omit<TheirInputs['SessionEnd'], 'reason'>
    >();
    expectTypeOf<HookInput<'Stop'>>().toExtend<TheirInputs['Stop']>();
    expectTypeOf<HookInput<'SubagentStart'>>().toExtend<TheirInputs['SubagentStart']>();
    expectTypeOf<HookInput<'SubagentStop'>>().toExtend<TheirInputs['SubagentStop']>();
    expectTypeOf<HookInput<'PreCompact'>>().toExtend<TheirInputs['PreCompact']>();
    expectTypeOf<HookInput<'Setup'>>().toExtend<TheirInputs['Setup']>();
    expectTypeOf<HookInput<'TeammateIdle'>>().toExtend<TheirInputs['TeammateIdle']>();
    expectTypeOf<HookInput<'TaskCompleted'>>().toExtend<TheirInputs['TaskCompleted']>();
    expectTypeOf<HookInput>().toExtend<{ hook_event_name: sdk.HookEvent }>();
  });

  it('EV-9 PermissionRequest: a hook written for their input can be given ours', () => {
    expectTypeOf<HookInput<'PermissionRequest'>>().toExtend<TheirInputs['PermissionRequest']>();
  });

  it('EV-9 any of our inputs is one of theirs', () => {
    expectTypeOf<Exclude<HookInput, Widened>>().toExtend<sdk.HookInput>();
  });

  it('EV-9 every field of theirs is in ours, with the same type and as optional as there', () => {
    expectTypeOf<DifferingInput<'PreToolUse'>>().toBeNever();
    expectTypeOf<DifferingInput<'PostToolUse'>>().toBeNever();
    expectTypeOf<DifferingInput<'PostToolUseFailure'>>().toBeNever();
    expectTypeOf<DifferingInput<'Notification'>>().toBeNever();
    expectTypeOf<DifferingInput<'UserPromptSubmit'>>().toBeNever();
    // Newer SDKs have more of these words: fork and resume.
    expectTypeOf<DifferingInput<'SessionStart'>>().toEqualTypeOf<'source'>();
    expectTypeOf<DifferingInput<'SessionEnd'>>().toEqualTypeOf<'reason'>();
    expectTypeOf<TheirInputs['SessionStart']['source']>().toExtend<HookInput<'SessionStart'>['source']>();
    expectTypeOf<TheirInputs['SessionEnd']['reason']>().toExtend<HookInput<'SessionEnd'>['reason']>();
    expectTypeOf<DifferingInput<'Stop'>>().toBeNever();
    expectTypeOf<DifferingInput<'SubagentStart'>>().toBeNever();
    expectTypeOf<DifferingInput<'SubagentStop'>>().toBeNever();
    expectTypeOf<DifferingInput<'PreCompact'>>().toBeNever();
    expectTypeOf<DifferingInput<'Setup'>>().toBeNever();
    expectTypeOf<DifferingInput<'TeammateIdle'>>().toBeNever();
    expectTypeOf<DifferingInput<'TaskCompleted'>>().toBeNever();
  });

  it('EV-9 PermissionRequest: every field of theirs is in ours, with the same type', () => {
    expectTypeOf<DifferingInput<'PermissionRequest'>>().toBeNever();
  });

  it('EV-9 the fields that Claude Code 2.1.325 adds are there, and optional', () => {
    expectTypeOf<HookInput<'PreToolUse'>>().toHaveProperty('mcp_server');
    expectTypeOf<HookInput<'PostToolUse'>['duration_ms']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<HookInput<'Stop'>['last_assistant_message']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<HookInput<'Stop'>['background_tasks']>().toEqualTypeOf<unknown[] | undefined>();
    expectTypeOf<HookInput<'SubagentStop'>['session_crons']>().toEqualTypeOf<unknown[] | undefined>();
    expectTypeOf<HookInput<'UserPromptSubmit'>['prompt_id']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<HookInput<'SessionStart'>['context_tokens']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<TheirInputs['Stop'] & { hook_event_name: 'Stop' }>().toExtend<HookInput<'Stop'>>();
  });
});

describe('answers', () => {
  it('EV-9 their hookSpecificOutput is one of ours, event by event', () => {
    expectTypeOf<TheirSpecificOutputs['PreToolUse']>().toExtend<HookSpecificOutput<'PreToolUse'>>();
    expectTypeOf<TheirSpecificOutputs['PostToolUse']>().toExtend<HookSpecificOutput<'PostToolUse'>>();
    expectTypeOf<TheirSpecificOutputs['PostToolUseFailure']>().toExtend<
      HookSpecificOutput<'PostToolUseFailure'>
    >();
    expectTypeOf<TheirSpecificOutputs['Notification']>().toExtend<HookSpecificOutput<'Notification'>>();
    expectTypeOf<TheirSpecificOutputs['UserPromptSubmit']>().toExtend<
      HookSpecificOutput<'UserPromptSubmit'>
    >();
    expectTypeOf<TheirSpecificOutputs['SessionStart']>().toExtend<HookSpecificOutput<'SessionStart'>>();
    expectTypeOf<TheirSpecificOutputs['SubagentStart']>().toExtend<HookSpecificOutput<'SubagentStart'>>();
    expectTypeOf<TheirSpecificOutputs['PermissionRequest']>().toExtend<
      HookSpecificOutput<'PermissionRequest'>
    >();
    expectTypeOf<TheirSpecificOutputs['Setup']>().toExtend<HookSpecificOutput<'Setup'>>();
  });

  it('EV-9 every field of their hookSpecificOutput is in ours', () => {
    type Missing = {
      [E in keyof TheirSpecificOutputs]: Exclude<keyof TheirSpecificOutputs[E], keyof HookSpecificOutput<E>>;
    }[keyof TheirSpecificOutputs];
    expectTypeOf<Missing>().toBeNever();
  });

  it('EV-9 their common answer fields are ours', () => {
    type Common = Omit<sdk.SyncHookJSONOutput, 'hookSpecificOutput'>;
    expectTypeOf<Common>().toExtend<HookOutput<'Stop'>>();
    expectTypeOf<Common>().toExtend<HookOutput<'TaskCompleted'>>();
    expectTypeOf<sdk.AsyncHookJSONOutput>().toExtend<HookOutput<'PreToolUse'>>();
  });

  it('EV-9 what Claude Code 2.1.325 adds to answers is there', () => {
    expectTypeOf<HookSpecificOutput<'PostToolUse'>>().toHaveProperty('updatedToolOutput');
    expectTypeOf<HookSpecificOutput<'Stop'>['additionalContext']>().toEqualTypeOf<string | undefined>();
  });
});

describe("hooks declared with the SDK's types", () => {
  const runner = new Runner();
  const theirs: sdk.HookCallback = async () => ({});

  it('RE-2 their callback can be registered for any event, with and without options', () => {
    runner.on('PreToolUse', theirs);
    runner.on('PreToolUse', { matcher: 'Bash' }, theirs);
    runner.on('Stop', theirs);
    runner.on('TaskCompleted', { timeout: 5 }, theirs);
    runner.forAgent('a').on('SessionStart', theirs);
    runner.forAgent('a').on('SessionStart', { override: true }, theirs);
  });

  it('RE-2 their callback can be registered for an event that is only known when it runs', () => {
    const event = 'Stop' as HookEvent;
    runner.on(event, theirs);
  });

  it('RE-2 their callbacks can be put into a configuration', () => {
    new Runner({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [theirs] }] } });
    new Runner({ sessionId: 's', hooks: { Stop: [{ hooks: [theirs, theirs], timeout: 1 }] } });
  });

  it('RE-2 their whole configuration can be used as it is', () => {
    const config: Partial<Record<sdk.HookEvent, sdk.HookCallbackMatcher[]>> = {};
    new Runner({ hooks: config });
    new Runner({ hooks: config, cwd: '/', onFailure: 'block' });
  });
});

describe('what a hook answers is checked against its event', () => {
  const runner = new Runner();

  it("FA-1 another event's answer is refused in on, with and without options", () => {
    // @ts-expect-error: the answer of another event
    runner.on('PreToolUse', () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } }));
    // @ts-expect-error: the answer of another event
    runner.on('PreToolUse', async () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } }));
    // @ts-expect-error: the answer of another event
    runner.on('Stop', { timeout: 1 }, () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse' } }));
    // @ts-expect-error: the answer of another event
    runner.on('PreToolUse', () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } }) as const);
    runner.on(
      'PreToolUse',
      // @ts-expect-error: the answer of another event
      async () => ({ hookSpecificOutput: { hookEventName: 'SessionStart' } }) as const,
    );
  });

  it("FA-1 another event's answer is refused in a configuration", () => {
    new Runner({
      hooks: {
        // @ts-expect-error: the answer of another event
        PreToolUse: [{ hooks: [() => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } })] }],
      },
    });
    new Runner({
      hooks: {
        PreToolUse: [
          // @ts-expect-error: the answer of another event
          { hooks: [() => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } }) as const] },
        ],
      },
    });
    new Runner({
      hooks: {
        PreToolUse: [
          // @ts-expect-error: the answer of another event
          { hooks: [async () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } }) as const] },
        ],
      },
    });
    const config: HookConfig = {
      // @ts-expect-error: the answer of another event
      Stop: [{ hooks: [() => ({ hookSpecificOutput: { hookEventName: 'PreToolUse' as const } })] }],
    };
    new Runner({ hooks: config });
  });

  it('FA-1 a list of hooks is checked one by one', () => {
    const fine: HookCallback<'PreToolUse'> = () => ({ continue: true });
    const wrong = () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' as const } });
    runner.on('PreToolUse', [fine, fine]);
    // @ts-expect-error: the second one has the answer of another event
    runner.on('PreToolUse', [fine, wrong]);
    // @ts-expect-error: the same, with options
    runner.on('PreToolUse', { parallel: true }, [wrong, fine]);
  });

  it("FA-1 the SDK's own type lets another event's answer through, which is why ours exists", () => {
    const loose: sdk.HookCallback = async () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } });
    const config: Partial<Record<sdk.HookEvent, sdk.HookCallbackMatcher[]>> = {
      PreToolUse: [{ hooks: [loose] }],
    };
    expectTypeOf(config).not.toBeAny();
    // @ts-expect-error: the same callback with our type
    const strict: HookCallback<'PreToolUse'> = async () => ({
      hookSpecificOutput: { hookEventName: 'PostToolUse' },
    });
    expectTypeOf(strict).not.toBeAny();
  });

  it('FA-1 wrong words and wrong types are refused', () => {
    // @ts-expect-error: no such decision
    runner.on('PreToolUse', () => ({ decision: 'maybe' }));
    // @ts-expect-error: a string is no boolean
    runner.on('PreToolUse', () => ({ continue: 'yes' }));
    // @ts-expect-error: an answer is an object
    runner.on('PreToolUse', () => 'deny');
    // @ts-expect-error: no such event
    runner.on('PreToolUses', () => ({}));
    // @ts-expect-error: no such permission
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'perhaps' },
    }));
  });

  it('FA-11 a key that hookSpecificOutput does not have is refused, wherever the hook is written', () => {
    // @ts-expect-error: permissionDecison
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecison: 'deny' },
    }));
    // @ts-expect-error: permission_decision
    runner.on('PreToolUse', { onFailure: 'block' }, async (input) => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permission_decision: input.tool_name },
    }));
    runner.on('PostToolUse', [
      // @ts-expect-error: updatedToolOutpt, in a list
      () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutpt: '' } }),
    ]);
    // @ts-expect-error: permisionDecision, with options of its own
    runner.on('PreToolUse', {
      type: 'callback',
      callback: () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permisionDecision: 'deny' } }),
    });
    // @ts-expect-error: in an agent's view
    runner.forAgent('a').on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecison: 'deny' },
    }));
  });

  it('FA-11 keys of other hosts pass where there is nothing to decide', () => {
    runner.on('SessionStart', () => ({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'hello', watchPaths: [] },
    }));
  });

  it('RE-2 a hook for any event can be registered for any event', () => {
    const register = <E extends HookEvent>(event: E, hook: Hook<E>) =>
      runner.on(event as HookEvent, hook as Hook);
    expectTypeOf(register).not.toBeAny();
  });

  it('FA-2 a hook may answer nothing', () => {
    runner.on('PreToolUse', () => {});
    runner.on('PreToolUse', () => undefined);
    runner.on('PreToolUse', async () => {});
    runner.on('PreToolUse', (input) => {
      if (input.tool_name === 'Bash') return { decision: 'block' };
      return undefined;
    });
  });
});

describe('literals written in place', () => {
  const runner = new Runner();
  const deny = { matcher: 'Bash' };

  it('EV-9 a permission decision needs no `as const`, wherever the hook is written', () => {
    runner.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    }));
    runner.on('PreToolUse', deny, async (input) => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: input.tool_name,
      },
    }));
    runner.on('PreToolUse', [
      () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }),
      {
        type: 'callback',
        name: 'guard',
        callback: () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } }),
      },
    ]);
    new Runner({
      hooks: {
        PreToolUse: [
          {
            matcher: 'Bash',
            hooks: [
              async () => ({
                hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
              }),
            ],
          },
        ],
        Stop: [{ hooks: [() => ({ decision: 'block', reason: 'not yet' })] }],
      },
    });
  });

  it('EV-2 the input of a callback is that of its event, without annotations', () => {
    runner.on('PreToolUse', (input, toolUseID, { signal }) => {
      expectTypeOf(input).toEqualTypeOf<HookInput<'PreToolUse'>>();
      expectTypeOf(toolUseID).toEqualTypeOf<string | undefined>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    });
    runner.on('SessionStart', { matcher: 'resume' }, (input) => {
      expectTypeOf(input.source).toEqualTypeOf<'startup' | 'resume' | 'clear' | 'compact' | 'fork'>();
    });
    new Runner({
      hooks: { Notification: [{ hooks: [(input) => expectTypeOf(input.message).toBeString() && {}] }] },
    });
  });

  it('AS-1 an answer may come later, and is checked as well', () => {
    runner.on('PreToolUse', () => ({ async: true, asyncTimeout: 5 }));
    runner.on('PreToolUse', () => ({ async: true, result: Promise.resolve({ decision: 'block' as const }) }));
    // @ts-expect-error: the answer of another event
    runner.on('PreToolUse', () => ({
      async: true,
      result: Promise.resolve({ hookSpecificOutput: { hookEventName: 'PostToolUse' as const } }),
    }));
  });
});

describe('fire', () => {
  const runner = new Runner();

  it("EV-3 an input needs the event's own fields only", () => {
    runner.fire('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't' });
    runner.fire('Stop', { stop_hook_active: false });
    runner.fire('SubagentStart', { agent_id: 'a', agent_type: 'b' });
    expectTypeOf<{ prompt: string }>().toExtend<FireInput<'UserPromptSubmit'>>();
    // The id may also come with the options.
    runner.fire('PreToolUse', { tool_name: 'Bash', tool_input: {} }, { toolUseID: 't' });
    // @ts-expect-error: tool_name is missing
    runner.fire('PreToolUse', { tool_input: {} });
    // @ts-expect-error: a flag, not a text
    runner.fire('Stop', { stop_hook_active: 'no' });
    // @ts-expect-error: nothing given
    runner.fire('UserPromptSubmit', {});
  });

  it('EV-3 common and optional fields may be given, or be undefined', () => {
    runner.fire('Stop', { stop_hook_active: true, cwd: '/', session_id: 's', permission_mode: undefined });
    runner.fire('TaskCompleted', { task_id: '1', task_subject: 's', team_name: undefined });
    // @ts-expect-error: a session is named by a string
    runner.fire('Stop', { stop_hook_active: true, session_id: 7 });
  });

  it('EV-3 a full input, as a hook received it, can be fired again', () => {
    expectTypeOf<HookInput<'PreToolUse'>>().toExtend<FireInput<'PreToolUse'>>();
    expectTypeOf<HookInput<'SessionStart'>>().toExtend<FireInput<'SessionStart'>>();
    expectTypeOf<sdk.PreToolUseHookInput>().toExtend<FireInput<'PreToolUse'>>();
  });

  it('ME-4 the outcome is typed by its event', async () => {
    const outcome = await runner.fire('PreToolUse', { tool_name: 'x', tool_input: 1, tool_use_id: 't' });
    expectTypeOf(outcome).toEqualTypeOf<HookOutcome<'PreToolUse'>>();
    expectTypeOf(outcome.event).toEqualTypeOf<'PreToolUse'>();
    expectTypeOf(outcome.decision).toEqualTypeOf<PermissionDecision | undefined>();
    expectTypeOf(outcome.continue).toEqualTypeOf<boolean | undefined>();
    expectTypeOf(outcome.reason).toEqualTypeOf<string | undefined>();
    expectTypeOf(outcome.stopReason).toEqualTypeOf<string | undefined>();
    expectTypeOf(outcome.suppressOutput).toEqualTypeOf<boolean>();
    expectTypeOf(outcome.systemMessages).toEqualTypeOf<readonly string[]>();
    expectTypeOf(outcome.additionalContext).toEqualTypeOf<readonly string[]>();
    expectTypeOf(outcome.updatedInput).toEqualTypeOf<Readonly<Record<string, unknown>> | undefined>();
    expectTypeOf(outcome.injections).toEqualTypeOf<readonly Injection[]>();
    expectTypeOf(outcome.results[0]?.outcome).toEqualTypeOf<'success' | 'error' | 'cancelled' | undefined>();
    expectTypeOf(outcome.hookSpecificOutputs).toEqualTypeOf<readonly HookSpecificOutput<'PreToolUse'>[]>();
    expectTypeOf(outcome.hookSpecificOutputs[0]?.permissionDecision).toEqualTypeOf<
      'allow' | 'deny' | 'ask' | 'defer' | undefined
    >();
    // @ts-expect-error: an outcome is read-only
    outcome.decision = 'allow';
  });

  it('ME-4 an outcome has only what hooks of its event can answer', () => {
    type Keys<E extends string> = Extract<keyof HookOutcome<E>, 'updatedInput' | 'updatedOutput'>;
    expectTypeOf<Keys<'PreToolUse'>>().toEqualTypeOf<'updatedInput'>();
    expectTypeOf<Keys<'PermissionRequest'>>().toEqualTypeOf<'updatedInput'>();
    expectTypeOf<Keys<'PostToolUse'>>().toEqualTypeOf<'updatedOutput'>();
    expectTypeOf<Keys<'Stop'>>().toEqualTypeOf<never>();
    expectTypeOf<Keys<'SessionStart'>>().toEqualTypeOf<never>();
    expectTypeOf<Keys<'UserPromptSubmit'>>().toEqualTypeOf<never>();
    // An outcome of any event, and one of an event of your own, may have both.
    expectTypeOf<HookOutcome['updatedInput']>().toEqualTypeOf<
      Readonly<Record<string, unknown>> | undefined
    >();
    expectTypeOf<HookOutcome<'Deploy'>['updatedOutput']>().toBeUnknown();
    expectTypeOf<HookOutcome<'Stop'>>().toExtend<Pick<HookOutcome, 'decision' | 'continue' | 'reason'>>();
  });

  it('ME-4 only an event that can refuse something has a decision, only one that takes context has any', () => {
    type Some = 'decision' | 'reason' | 'additionalContext';
    type Keys<E extends string> = Extract<keyof HookOutcome<E>, Some>;
    expectTypeOf<Keys<'PreToolUse'>>().toEqualTypeOf<Some>();
    expectTypeOf<Keys<'PostToolUse'>>().toEqualTypeOf<Some>();
    expectTypeOf<Keys<'UserPromptSubmit'>>().toEqualTypeOf<Some>();
    expectTypeOf<Keys<'Stop'>>().toEqualTypeOf<Some>();
    expectTypeOf<Keys<'PreCompact'>>().toEqualTypeOf<Some>();
    expectTypeOf<Keys<'PermissionRequest'>>().toEqualTypeOf<'decision' | 'reason'>();
    expectTypeOf<Keys<'TaskCompleted'>>().toEqualTypeOf<'decision' | 'reason'>();
    expectTypeOf<Keys<'TeammateIdle'>>().toEqualTypeOf<'decision' | 'reason'>();
    expectTypeOf<Keys<'SessionStart'>>().toEqualTypeOf<'additionalContext'>();
    expectTypeOf<Keys<'Notification'>>().toEqualTypeOf<'additionalContext'>();
    expectTypeOf<Keys<'SubagentStart'>>().toEqualTypeOf<'additionalContext'>();
    expectTypeOf<Keys<'Setup'>>().toEqualTypeOf<'additionalContext'>();
    expectTypeOf<Keys<'SessionEnd'>>().toBeNever();
    expectTypeOf<Keys<'PostCompact'>>().toBeNever();
    expectTypeOf<Keys<'Deploy'>>().toEqualTypeOf<Some>();
    // Of two events, what both have is there, and what one has may be.
    expectTypeOf<HookOutcome<'Stop' | 'SessionStart'>['additionalContext']>().toEqualTypeOf<
      readonly string[]
    >();
    expectTypeOf<HookOutcome<'Stop' | 'SessionEnd'>['additionalContext']>().toEqualTypeOf<
      readonly string[] | undefined
    >();
  });

  it('ME-4 the outcome of an event that is only known when it runs can be used as that of any', async () => {
    const show = ({ decision, reason, additionalContext = [], updatedInput }: HookOutcome) => [
      decision,
      reason,
      ...additionalContext,
      updatedInput,
    ];
    const pass = async <E extends HookEvent>(event: E, input: FireInput<E>): Promise<HookOutcome<E>> => {
      const outcome = await runner.fire(event, input);
      show(outcome);
      return outcome;
    };
    show(await pass('SessionEnd', { reason: 'other' }));
    show(await pass('Stop', { stop_hook_active: false }));
    expectTypeOf(await pass('Stop', { stop_hook_active: false })).toEqualTypeOf<HookOutcome<'Stop'>>();
  });

  it('ME-4 a field of another event does not compile', async () => {
    const stop = await runner.fire('Stop', { stop_hook_active: false });
    // @ts-expect-error: hooks of Stop have no input to rewrite
    stop.updatedInput;
    // @ts-expect-error: nor an output
    stop.updatedOutput;
    const before = await runner.fire('PreToolUse', { tool_name: 'x', tool_input: 1, tool_use_id: 't' });
    // @ts-expect-error: there is no output before the tool
    before.updatedOutput;
    const start = await runner.fire('SessionStart', { source: 'startup' });
    // @ts-expect-error: nothing can be refused there
    start.decision;
    const end = await runner.fire('SessionEnd', { reason: 'other' });
    // @ts-expect-error: nor here
    end.reason;
    // @ts-expect-error: and no model reads anything any more
    end.additionalContext;
  });

  it('ME-4 the runner without hooks answers with the same types', async () => {
    const outcome = await new NoopRunner().fire('Stop', { stop_hook_active: false });
    expectTypeOf(outcome).toEqualTypeOf<HookOutcome<'Stop'>>();
  });
});

describe('messages', () => {
  it("MS-2 our messages are the SDK's, in both directions", () => {
    expectTypeOf<Differing<HookStartedMessage, sdk.SDKHookStartedMessage>>().toBeNever();
    expectTypeOf<Differing<sdk.SDKHookStartedMessage, HookStartedMessage>>().toBeNever();
    expectTypeOf<Differing<HookProgressMessage, sdk.SDKHookProgressMessage>>().toBeNever();
    expectTypeOf<Differing<sdk.SDKHookProgressMessage, HookProgressMessage>>().toBeNever();
    expectTypeOf<Differing<HookResponseMessage, sdk.SDKHookResponseMessage>>().toBeNever();
    expectTypeOf<Differing<sdk.SDKHookResponseMessage, HookResponseMessage>>().toBeNever();
    expectTypeOf<HookStartedMessage>().toExtend<sdk.SDKHookStartedMessage>();
    expectTypeOf<sdk.SDKHookResponseMessage>().toExtend<HookResponseMessage>();
  });

  it('MS-2 a reader of the SDK understands any of our messages', () => {
    expectTypeOf<HookMessage>().toExtend<sdk.SDKMessage>();
  });
});
