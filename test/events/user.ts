/** What a user writes, under the strictest settings: it is enough that this compiles. */
import {
  type FireOptions,
  HOOK_EVENTS,
  type HookCallback,
  type HookConfig,
  HookError,
  type HookRunner,
  NoopRunner,
  Runner,
} from '../../src/index.js';

const noForce: HookCallback<'PreToolUse'> = (input) => {
  const { command } = input.tool_input as { command?: string };
  if (command?.includes('--force')) return { decision: 'block', reason: 'No force, please.' };
  return undefined;
};

const hooks: HookConfig = {
  PreToolUse: [
    { matcher: 'Bash', hooks: [noForce], onFailure: 'block' },
    { matcher: 'mcp__*', timeout: 0.5, parallel: true, hooks: [noForce, () => ({ suppressOutput: true })] },
  ],
  UserPromptSubmit: [
    {
      hooks: [
        (input) => ({
          hookSpecificOutput: {
            hookEventName: 'UserPromptSubmit',
            additionalContext: `${input.prompt.length}`,
          },
        }),
      ],
    },
  ],
};

export interface AgentParts {
  readonly hooks?: HookRunner;
  readonly signal?: AbortSignal;
}

/** A loop that is given a runner, or none. */
export async function useTool({ hooks = new NoopRunner(), signal }: AgentParts): Promise<string> {
  const options: FireOptions = { signal, toolUseID: 'toolu_1' };
  const outcome = await hooks.fire(
    'PreToolUse',
    { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' },
    options,
  );
  if (outcome.continue === false) return outcome.stopReason ?? 'stopped';
  if (outcome.decision === 'deny') return outcome.reason ?? 'refused';
  return JSON.stringify(outcome.updatedInput ?? {});
}

export async function main(): Promise<string> {
  await using runner = new Runner({ hooks, sessionId: 'session', onWarning: ({ message }) => void message });
  const off = runner.on('Stop', async (input, _toolUseID, { signal }) => {
    if (input.stop_hook_active || signal.aborted) return;
    return { decision: 'block', reason: 'Run the tests first.' };
  });
  const agent = runner.forAgent('reviewer');
  agent.on('PreToolUse', { matcher: 'Write|Edit', override: true }, () => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
  }));
  runner.messages.on('hook_response', ({ outcome, exit_code }) => void [outcome, exit_code]);
  off();
  try {
    return await useTool({ hooks: agent });
  } catch (error) {
    return error instanceof HookError && HOOK_EVENTS.length === 15 ? error.code : 'unexpected';
  }
}
