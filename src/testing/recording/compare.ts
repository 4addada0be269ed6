/** Compares the decisions and texts of current hooks with the recorded ones. */
import { isDeepStrictEqual } from 'node:util';
import { isActedOn, OUTCOME_ROWS, type OutcomeRow } from '../../runner/outcome-rows.js';
import type { RecordedOutcome } from './entry.js';

export interface Change {
  readonly field: keyof RecordedOutcome & string;
  readonly was: unknown;
  readonly now: unknown;
}

export interface Changes {
  /** The agent would act differently. */
  readonly decided: readonly Change[];
  /** The agent would act the same, but read different texts. */
  readonly worded: readonly Change[];
}

const RECORDED = OUTCOME_ROWS.filter(({ recorded }) => recorded !== null);

export function compareOutcomes(was: RecordedOutcome, now: RecordedOutcome): Changes {
  const changed = RECORDED.filter(({ field }) => !isDeepStrictEqual(plain(was[field]), plain(now[field])));
  const changes = (rows: readonly OutcomeRow[]): Change[] =>
    rows.map(({ field }) => ({ field, was: was[field], now: now[field] }));
  return {
    decided: changes(changed.filter(isActedOn)),
    worded: changes(changed.filter((row) => !isActedOn(row))),
  };
}

/** The value as read from a recording. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
