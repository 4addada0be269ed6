/** The further events of newer SDKs, and the two that no SDK calls. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnyEvent, HookConfig } from '../../src/index.js';
import { Runner } from '../../src/index.js';
import { SdkBridge, toSdkHooks } from '../../src/integrations/claude-agent-sdk/index.js';

const SESSION = { session_id: 's', transcript_path: '', cwd: '/' };
const signal = new AbortController().signal;

async function answerTo(hooks: HookConfig, event: AnyEvent, input: object): Promise<unknown> {
  await using runner = new Runner({ hooks });
  const registered = toSdkHooks(runner) as Record<string, { hooks: ((...given: unknown[]) => unknown)[] }[]>;
  return await registered[event]?.[0]?.hooks[0]?.({ ...SESSION, hook_event_name: event, ...input }, 'id', {
    signal,
  });
}

describe('events of newer SDKs', () => {
  it('AD-1: are registered if the runner has hooks for them', async () => {
    await using runner = new Runner({ hooks: { PostToolBatch: [{ hooks: [() => ({})] }] } });
    expect(Object.keys(toSdkHooks(runner))).toHaveLength(16);
    expect(Object.keys(toSdkHooks(runner))).toContain('PostToolBatch');
    await using without = new Runner();
    expect(Object.keys(toSdkHooks(without))).toHaveLength(15);
  });

  it.each([
    [
      'PermissionDenied',
      { tool_name: 'Bash', tool_input: {}, tool_use_id: 'a', reason: 'r' },
      { retry: true },
    ],
    [
      'MessageDisplay',
      { turn_id: 't', message_id: 'm', index: 0, final: true, delta: 'secret' },
      { displayContent: '***' },
    ],
    ['Elicitation', { mcp_server_name: 'm', message: 'q' }, { action: 'accept', content: { a: 1 } }],
    ['CwdChanged', { old_cwd: '/', new_cwd: '/x' }, { watchPaths: ['/x/.env'] }],
    ['SessionStart', { source: 'fork' }, { sessionTitle: 'T', initialUserMessage: 'go' }],
    ['WorktreeCreate', { name: 'w' }, { worktreePath: '/w' }],
  ] as const)('AD-3: the answers of %s reach the SDK', async (event, input, specific) => {
    const hookSpecificOutput = { hookEventName: event, ...specific };
    const hooks = { [event]: [{ hooks: [() => ({ hookSpecificOutput })] }] } as HookConfig;
    expect(await answerTo(hooks, event, input)).toEqual({ hookSpecificOutput });
  });

  it('AD-3: a refusal of a batch is a block', async () => {
    const hooks: HookConfig = {
      PostToolBatch: [{ hooks: [() => ({ decision: 'block', reason: 'enough' })] }],
    };
    expect(await answerTo(hooks, 'PostToolBatch', { tool_calls: [] })).toEqual({
      decision: 'block',
      reason: 'enough',
    });
  });
});

describe('SessionStart and SessionEnd', () => {
  const seen: unknown[] = [];
  const hooks = {
    SessionStart: [
      {
        hooks: [
          (input: unknown) => {
            seen.push(input);
            return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'Be kind.' } };
          },
        ],
      },
    ],
    SessionEnd: [{ hooks: [(input: unknown) => void seen.push(input)] }],
  } as HookConfig;
  beforeEach(() => void seen.splice(0));

  const ask = (bridge: SdkBridge, event: 'UserPromptSubmit' | 'SessionStart', input: object): unknown => {
    const callback = bridge.hooks[event]?.[0]?.hooks[0] as unknown as (...given: unknown[]) => unknown;
    return callback({ ...SESSION, session_id: 'abc', hook_event_name: event, ...input }, 'id', { signal });
  };
  const withContext = {
    hookSpecificOutput: {
      hookEventName: 'UserPromptSubmit',
      additionalContext: expect.stringContaining('Be kind.'),
    },
  };

  it('AD-31: fire before the first prompt, whose response has the context, and when the query ends', async () => {
    await using runner = new Runner({ hooks });
    const bridge = new SdkBridge(runner);
    async function* messages() {
      yield ask(bridge, 'UserPromptSubmit', { prompt: 'Go.', transcript_path: '/t.jsonl' });
      yield { type: 'system', subtype: 'init', session_id: 'abc', cwd: '/work', model: 'm' };
      yield ask(bridge, 'UserPromptSubmit', { prompt: 'Go on.' });
    }
    const passed: unknown[] = [];
    for await (const message of bridge.follow(messages())) passed.push(message);
    const session = { session_id: 'abc', cwd: '/', transcript_path: '/t.jsonl' };
    expect(seen).toMatchObject([
      { hook_event_name: 'SessionStart', source: 'startup', ...session },
      { hook_event_name: 'SessionEnd', reason: 'other', ...session },
    ]);
    expect(passed[0]).toEqual(withContext);
    expect(passed[2]).toEqual({});
  });

  it('AD-31: the first message starts the session if nothing came before it', async () => {
    await using runner = new Runner({ hooks });
    const bridge = new SdkBridge(runner);
    async function* messages() {
      yield { type: 'system', subtype: 'init', session_id: 'abc', cwd: '/work', model: 'm' };
      yield ask(bridge, 'UserPromptSubmit', { prompt: 'Go.' });
    }
    const passed: unknown[] = [];
    for await (const message of bridge.follow(messages())) passed.push(message);
    expect(seen).toMatchObject([{ source: 'startup', cwd: '/work', model: 'm' }, { reason: 'other' }]);
    expect(passed[1]).toEqual(withContext);
  });

  it('AD-31: a start that the SDK reports is not fired twice', async () => {
    await using runner = new Runner({ hooks });
    const bridge = new SdkBridge(runner);
    await ask(bridge, 'SessionStart', { source: 'resume' });
    await ask(bridge, 'UserPromptSubmit', { prompt: 'Go.' });
    await bridge.close();
    expect(seen).toMatchObject([{ source: 'resume' }, { reason: 'other' }]);
  });

  it('AD-31: close() ends the session too, and events that are left out do not fire', async () => {
    await using runner = new Runner({ hooks });
    const whole = new SdkBridge(runner);
    await ask(whole, 'UserPromptSubmit', { prompt: 'Go.' });
    await whole.close();
    await whole.close();
    const part = new SdkBridge(runner, { events: ['UserPromptSubmit'] });
    await ask(part, 'UserPromptSubmit', { prompt: 'Go.' });
    await part.close();
    expect(seen).toMatchObject([{ source: 'startup' }, { reason: 'other' }]);
  });

  it('AD-31: without a bridge nobody can run hooks of SessionEnd, and onProblem says so', async () => {
    await using runner = new Runner({ hooks });
    const problems: string[] = [];
    toSdkHooks(runner, { onProblem: ({ message }) => problems.push(message) });
    expect(problems).toEqual([expect.stringContaining('Hooks of SessionEnd do not run')]);
    await using without = new Runner();
    toSdkHooks(without, { onProblem: ({ message }) => problems.push(message) });
    expect(problems).toHaveLength(1);
  });

  it('AD-32: hooks run at the end of a subagent of an older SDK, which does not say its type', async () => {
    const types: unknown[] = [];
    const input = { stop_hook_active: false, agent_id: 'a1', agent_transcript_path: '/a.jsonl' };
    const hooks: HookConfig = {
      SubagentStop: [{ hooks: [({ agent_type }) => void types.push(agent_type)] }],
    };
    await answerTo(hooks, 'SubagentStop', input);
    expect(types).toEqual(['']);
  });
});
