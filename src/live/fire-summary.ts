/** Summarizes a fire: the call it is about, its outcome, and the result of each hook. */
import type { HookOutcome } from '../runner/outcome.js';
import type { FieldRole } from '../runner/outcome-fields.js';
import { OUTCOME_ROWS, textsIn } from '../runner/outcome-rows.js';
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

/** The order in which effects are shown: changes first. */
const ORDER = ['decides', 'rewrites', 'tells', 'explains', 'reports'] as const satisfies readonly FieldRole[];
const SHOWN = ORDER.flatMap((role) => OUTCOME_ROWS.filter((row) => row.shown?.live && row.role === role));

function effectsOf(outcome: HookOutcome): readonly string[] {
  const short = (value: unknown): string => showValue(value, MAX_LENGTHS.input);
  const effects = SHOWN.flatMap((row) =>
    textsIn(outcome, row, short).map((text) => `${row.shown?.label}: ${cut(text, MAX_LENGTHS.input)}`),
  );
  return outcome.aborted ? [...effects, 'ended early'] : effects;
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

/** Reads the call from an input that has not been validated yet. */
export function toolOf({ input, options }: BegunFire): FireEvent['tool'] {
  const id = input['tool_use_id'] ?? options.toolUseID;
  const name = input['tool_name'];
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  return { id, name: cut(name, MAX_LENGTHS.name), input: showValue(input['tool_input'], MAX_LENGTHS.input) };
}
