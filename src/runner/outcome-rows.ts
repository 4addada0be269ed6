/** The table of the outcome's fields as those read it who treat all fields alike. */
import type { z } from 'zod';
import type { Verdict } from '../handlers/verdict.js';
import type { HookOutcome, HookResult } from './outcome.js';
import {
  type Attribute,
  BESIDE_OUTCOME,
  type Expected,
  type FieldFold,
  type FieldRole,
  OUTCOME_FIELDS,
  type OutcomeField,
} from './outcome-fields.js';

/** An entry of the table, in the widest types. */
export interface OutcomeRow {
  readonly field: OutcomeField;
  readonly verdict: keyof Verdict | null;
  readonly presence?: keyof Verdict;
  readonly ofHook: 'result' | 'specific' | null;
  readonly fold: FieldFold;
  readonly role: FieldRole;
  readonly text: 'itself' | 'json' | { readonly key: string };
  readonly late?: true;
  readonly shown: { readonly label: string; readonly fire: boolean; readonly live: boolean } | null;
  readonly recorded: { readonly schema: z.ZodType; readonly of?: (value: never) => unknown } | null;
  readonly expected: Expected | null;
  readonly attribute: Attribute | null;
}

export const OUTCOME_ROWS: readonly OutcomeRow[] = Object.entries(OUTCOME_FIELDS).map(([field, entry]) => ({
  field: field as OutcomeField,
  ...entry,
}));

/** What a hook's result has of its verdict, as it is. */
export const RESULT_KEYS: readonly (keyof Verdict)[] = [
  ...OUTCOME_ROWS.flatMap(({ verdict, ofHook }) =>
    ofHook === 'result' && verdict !== null ? [verdict] : [],
  ),
  ...(Object.keys(BESIDE_OUTCOME) as (keyof typeof BESIDE_OUTCOME)[]).filter(
    (key) => BESIDE_OUTCOME[key] === 'result',
  ),
];

/** The texts that are cut where they are long: all that an agent reads. */
export const CAPPED_ROWS: readonly OutcomeRow[] = OUTCOME_ROWS.filter(
  ({ role, text }) => (role === 'tells' || role === 'explains') && text !== 'json',
);

/** What an answer that comes too late may still tell. */
export const LATE_KEYS = Object.values(OUTCOME_FIELDS).flatMap((entry) =>
  'late' in entry ? [entry.verdict] : [],
);

export type LateKey = (typeof LATE_KEYS)[number];

/** An agent would do something else without it. */
export const isActedOn = ({ role }: OutcomeRow): boolean => role === 'decides' || role === 'rewrites';

/** Whether a verdict says something about a field. */
export function isThere({ verdict: key, presence }: OutcomeRow, verdict: Verdict): boolean {
  if (presence !== undefined) return verdict[presence] === true;
  return key !== null && verdict[key] !== undefined;
}

/** What one hook said about a field, where its result has it. */
export function saidOf({ verdict, ofHook }: OutcomeRow, result: HookResult): unknown {
  if (ofHook === null || verdict === null) return undefined;
  const holder: object | undefined = ofHook === 'result' ? result : result.hookSpecificOutput;
  return (holder as Readonly<Record<string, unknown>> | undefined)?.[verdict];
}

/** The texts of a value, or of the entries of a list; none where there is nothing. */
export function textsOf(
  { text }: OutcomeRow,
  value: unknown,
  json: (value: unknown) => string = JSON.stringify,
): string[] {
  if (value === undefined) return [];
  if (text === 'json') return [json(value)];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => {
    const said = typeof text === 'object' ? (item as Readonly<Record<string, unknown>>)[text.key] : item;
    // What a hook says for an event that does not know the field may be anything.
    return typeof said === 'string' ? said : json(said);
  });
}

export function textsIn(outcome: HookOutcome, row: OutcomeRow, json?: (value: unknown) => string): string[] {
  return textsOf(row, outcome[row.field], json);
}
