/** One line of a recording: an event that was fired, and its outcome. */

import { z } from 'zod';
import type { HookOutcome } from '../../runner/outcome.js';
import type { OUTCOME_FIELDS } from '../../runner/outcome-fields.js';
import { OUTCOME_ROWS } from '../../runner/outcome-rows.js';

type Entries = typeof OUTCOME_FIELDS;
type RecordedShape = {
  [K in keyof Entries as Entries[K]['recorded'] extends null ? never : K]: ReturnType<
    NonNullable<Entries[K]['recorded']>['schema']
  >;
};

const RECORDED = OUTCOME_ROWS.filter(({ recorded }) => recorded !== null);

/** The part of an outcome that can be compared later: decisions and texts, not how they came about. */
const decided = z.looseObject(
  Object.fromEntries(RECORDED.map(({ field, recorded }) => [field, recorded?.schema()])) as RecordedShape,
);

export const entrySchema = z.looseObject({
  version: z.literal(1),
  /** The time of the fire, in ISO 8601. */
  at: z.string(),
  event: z.string(),
  input: z.record(z.string(), z.unknown()),
  agentId: z.string().optional(),
  durationMs: z.number().optional(),
  /** Absent if only the input was recorded. */
  outcome: decided.optional(),
});

export type RecordedOutcome = z.output<typeof decided>;
export type RecordedFire = z.output<typeof entrySchema>;

export function recordedOutcome(outcome: HookOutcome): RecordedOutcome {
  const said = RECORDED.flatMap(({ field, recorded }) => {
    const value = outcome[field];
    if (value === undefined) return [];
    return [[field, recorded?.of === undefined ? value : recorded.of(value as never)]];
  });
  return Object.fromEntries(said) as RecordedOutcome;
}
