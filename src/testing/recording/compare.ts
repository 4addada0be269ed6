/** What today's hooks decide differently from the recorded ones, and what they only say differently. */
import { isDeepStrictEqual } from 'node:util';
import { isActedOn, OUTCOME_ROWS, type OutcomeRow } from '../../runner/outcome-rows.js';
import type { RecordedOutcome } from './entry.js';

export interface Change {
  readonly field: keyof RecordedOutcome & string;
  readonly was: unknown;
  readonly now: unknown;
}

export interface Changes {
  /** An agent would act differently. */
  readonly decided: readonly Change[];
  /** It would act the same, and read other words. */
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

/** As it would be read from a recording. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
