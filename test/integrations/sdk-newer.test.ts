/** The further events of newer SDKs, and the two that no SDK calls. */
import { describe, expect, it } from 'vitest';
import type { AnyEvent, HookConfig } from '../../src/index.js';
import { Runner } from '../../src/index.js';
import { SdkBridge, toSdkHooks } from '../../src/integrations/claude-agent-sdk/index.js';

const SESSION = { session_id: 's', transcript_path: '', cwd: '/' };
const signal = new AbortController().signal;

async function answerTo(hooks: HookConfig, event: AnyEvent, input: object): Promise<unknown> {
  await using runner = new Runner({ hooks });
  const registered = toSdkHooks(runner) as Record<string, { hooks: ((...given: unknown[]) => unknown)[] }[]>;
  return registered[event]?.[0]?.hooks[0]?.({ ...SESSION, hook_event_name: event, ...input }, 'id', {
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
  it('AD-1: fire when the bridge follows a query, and the context comes with the next response', async () => {
    const seen: unknown[] = [];
    await using runner = new Runner({
      hooks: {
        SessionStart: [
          {
            hooks: [
              (input) => {
                seen.push(input);
                return {
                  hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'Be kind.' },
                };
              },
            ],
          },
        ],
        SessionEnd: [{ hooks: [(input) => void seen.push(input)] }],
      },
    });
    const bridge = new SdkBridge(runner);
    const prompt = (bridge.hooks.UserPromptSubmit?.[0]?.hooks[0] ?? (() => undefined)) as (
      ...given: unknown[]
    ) => Promise<unknown>;
    async function* messages() {
      yield { type: 'system', subtype: 'init', session_id: 'abc', cwd: '/work', model: 'm' };
      yield prompt({ ...SESSION, hook_event_name: 'UserPromptSubmit', prompt: 'Go.' }, 'id', { signal });
    }
    const passed: unknown[] = [];
    for await (const message of bridge.follow(messages())) passed.push(message);
    expect(seen).toMatchObject([
      { hook_event_name: 'SessionStart', source: 'startup', session_id: 'abc', cwd: '/work', model: 'm' },
      { hook_event_name: 'SessionEnd', reason: 'other', session_id: 'abc' },
    ]);
    expect(passed[1]).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext: expect.stringContaining('Be kind.'),
      },
    });
  });
});
