/** Helpers for the answers that hooks give most often. */
import type { AnyEvent, HookSpecificOutputs } from './types.js';

/** The events whose hooks can add context for the model. */
type EventWithContext = {
  [E in AnyEvent]: HookSpecificOutputs[E] extends { additionalContext?: string | undefined } ? E : never;
}[AnyEvent];

/** Refuses what the event asks about; the model reads the reason. For every event that can block. Never throws. */
export function deny(reason: string): { decision: 'block'; reason: string } {
  return { decision: 'block', reason };
}

/** Approves what the event asks about, without a question to a person. Never throws. */
export function allow(reason?: string): { decision: 'approve'; reason?: string } {
  return { decision: 'approve', ...(reason !== undefined && { reason }) };
}

/** Asks a person to decide about a tool call. For PreToolUse. Never throws. */
export function ask(reason: string): {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse';
    permissionDecision: 'ask';
    permissionDecisionReason: string;
  };
} {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: reason,
    },
  };
}

/** Replaces the whole input of a tool. For PreToolUse. Never throws. */
export function rewrite(input: Record<string, unknown>): {
  hookSpecificOutput: { hookEventName: 'PreToolUse'; updatedInput: Record<string, unknown> };
} {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: input } };
}

/** Adds text to the model's next request. Never throws. */
export function context<E extends EventWithContext>(
  event: E,
  text: string,
): { hookSpecificOutput: { hookEventName: E; additionalContext: string } } {
  return { hookSpecificOutput: { hookEventName: event, additionalContext: text } };
}
