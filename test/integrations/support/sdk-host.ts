/** Asks hooks as the Agent SDK does: inputs with all the fields that it sends, ids and signals as it gives them. */
import { randomUUID } from 'node:crypto';
import type { HookInput, SyncHookJSONOutput } from '@anthropic-ai/claude-agent-sdk';
import type { FireInput, HookEvent } from '../../../src/index.js';
import type { SdkHooks } from '../../../src/integrations/claude-agent-sdk/index.js';
import { SAMPLES } from '../../support/runner.js';

const BASE = {
  session_id: '0b5fd5a0-1111-4222-8333-444455556666',
  transcript_path: '/home/ada/.claude/projects/p/0b5fd5a0.jsonl',
  cwd: '/home/ada/p',
};

export interface Asked {
  readonly toolUseID?: string;
  readonly signal?: AbortSignal;
}

export interface SdkHost {
  /** The answer of the last callback of the event's last matcher: ours. */
  ask<E extends HookEvent>(
    event: E,
    input?: Partial<FireInput<E>> & object,
    asked?: Asked,
  ): Promise<SyncHookJSONOutput>;
}

export function hostOf(hooks: SdkHooks): SdkHost {
  return {
    async ask(event, input = {}, { toolUseID, signal = new AbortController().signal } = {}) {
      const callback = hooks[event]?.at(-1)?.hooks.at(-1);
      if (callback === undefined) throw new Error(`nobody is asked about ${event}`);
      const full: Record<string, unknown> = { ...BASE, hook_event_name: event, ...SAMPLES[event], ...input };
      // For events that are not about a tool call the SDK draws an id of its own.
      const id = toolUseID ?? String(full['tool_use_id'] ?? randomUUID());
      const answer = await callback(full as unknown as HookInput, id, { signal });
      return answer as SyncHookJSONOutput;
    },
  };
}
