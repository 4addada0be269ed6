/** A fire in a few words: the call that it is about, what it came to, and what each hook said. */
import type { HookOutcome } from '../runner/outcome.js';
import type { FireEndEvent, FireEvent, HookVerdict } from './events.js';
import type { BegunFire } from './observe-fires.js';
import { cut, MAX_LENGTHS, showValue } from './show.js';

export type FireSummary = Omit<FireEndEvent, 'type' | 'fire' | 'durationMs'>;

export function summaryOf(outcome: HookOutcome): FireSummary {
  const { decision, reason } = outcome;
  return {
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason: cut(reason, MAX_LENGTHS.input) }),
    ...(outcome.continue !== undefined && { continue: outcome.continue }),
    effects: effectsOf(outcome),
    hooks: verdictsOf(outcome),
  };
}

function effectsOf(outcome: HookOutcome): readonly string[] {
  const { additionalContext, systemMessages, injections, stopReason, notes } = outcome;
  return [
    ...(outcome.updatedInput === undefined
      ? []
      : [`new input: ${showValue(outcome.updatedInput, MAX_LENGTHS.input)}`]),
    ...('updatedOutput' in outcome
      ? [`new output: ${showValue(outcome.updatedOutput, MAX_LENGTHS.input)}`]
      : []),
    ...additionalContext.map((text) => `context: ${cut(text, MAX_LENGTHS.input)}`),
    ...systemMessages.map((text) => `message: ${cut(text, MAX_LENGTHS.input)}`),
    ...injections.map(({ content }) => `injected: ${cut(content, MAX_LENGTHS.input)}`),
    ...(stopReason === undefined ? [] : [`stop reason: ${cut(stopReason, MAX_LENGTHS.input)}`]),
    ...notes.map(({ message }) => `note: ${cut(message, MAX_LENGTHS.input)}`),
    ...(outcome.aborted ? ['ended early'] : []),
  ];
}

function verdictsOf({ results, pending }: HookOutcome): readonly HookVerdict[] {
  const later = new Set(pending.map(({ hookId }) => hookId));
  return results.map(({ hookId, decision, reason, failure }) => {
    const why = reason ?? failure?.message;
    return {
      hook: hookId,
      ...(decision !== undefined && { decision }),
      ...(why !== undefined && { reason: cut(why, MAX_LENGTHS.input) }),
      ...(later.has(hookId) && { pending: true as const }),
    };
  });
}

/** Inputs about a call name it; what is in them is not checked yet. */
export function toolOf({ input, options }: BegunFire): FireEvent['tool'] {
  const id = input['tool_use_id'] ?? options.toolUseID;
  const name = input['tool_name'];
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  return { id, name: cut(name, MAX_LENGTHS.name), input: showValue(input['tool_input'], MAX_LENGTHS.input) };
}
