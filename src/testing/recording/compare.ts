/** What today's hooks decide differently from the recorded ones, and what they only say differently. */
import { isDeepStrictEqual } from 'node:util';
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

const DECIDES = ['decision', 'continue', 'updatedInput', 'updatedOutput'] as const;
const WORDS = ['reason', 'stopReason', 'additionalContext', 'systemMessages', 'failures'] as const;

export function compareOutcomes(was: RecordedOutcome, now: RecordedOutcome): Changes {
  const changed = (fields: readonly (keyof RecordedOutcome & string)[]): Change[] =>
    fields
      .filter((field) => !isDeepStrictEqual(plain(was[field]), plain(now[field])))
      .map((field) => ({ field, was: was[field], now: now[field] }));
  return { decided: changed(DECIDES), worded: changed(WORDS) };
}

/** As it would be read from a recording. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
