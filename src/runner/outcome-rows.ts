/** The table of outcome fields as rows, for code that treats all fields alike. */
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
  readonly recorded: { readonly schema: () => z.ZodType; readonly of?: (value: never) => unknown } | null;
  readonly expected: Expected | null;
  readonly attribute: Attribute | null;
}

export const OUTCOME_ROWS: readonly OutcomeRow[] = Object.entries(OUTCOME_FIELDS).map(([field, entry]) => ({
  field: field as OutcomeField,
  ...entry,
}));

/** The verdict keys that a hook's result copies unchanged. */
export const RESULT_KEYS: readonly (keyof Verdict)[] = [
  ...OUTCOME_ROWS.flatMap(({ verdict, ofHook }) =>
    ofHook === 'result' && verdict !== null ? [verdict] : [],
  ),
  ...(Object.keys(BESIDE_OUTCOME) as (keyof typeof BESIDE_OUTCOME)[]).filter(
    (key) => BESIDE_OUTCOME[key] === 'result',
  ),
];

/** The texts that are cut when they are long: everything an agent reads. */
export const CAPPED_ROWS: readonly OutcomeRow[] = OUTCOME_ROWS.filter(
  ({ role, text }) => (role === 'tells' || role === 'explains') && text !== 'json',
);

/** The keys that a late answer may still deliver. */
export const LATE_KEYS = Object.values(OUTCOME_FIELDS).flatMap((entry) =>
  'late' in entry ? [entry.verdict] : [],
);

export type LateKey = (typeof LATE_KEYS)[number];

/** Whether an agent acts on the field. */
export const isActedOn = ({ role }: OutcomeRow): boolean => role === 'decides' || role === 'rewrites';

/** Whether a verdict sets a field. */
export function isThere({ verdict: key, presence }: OutcomeRow, verdict: Verdict): boolean {
  if (presence !== undefined) return verdict[presence] === true;
  return key !== null && verdict[key] !== undefined;
}

/** One hook's value of a field, if its result has it. */
export function saidOf({ verdict, ofHook }: OutcomeRow, result: HookResult): unknown {
  if (ofHook === null || verdict === null) return undefined;
  const holder: object | undefined = ofHook === 'result' ? result : result.hookSpecificOutput;
  return (holder as Readonly<Record<string, unknown>> | undefined)?.[verdict];
}

/** The texts of a value or of a list's entries; none if the value is absent. */
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
    // A hook may answer anything for an event that does not know the field.
    return typeof said === 'string' ? said : json(said);
  });
}

export function textsIn(outcome: HookOutcome, row: OutcomeRow, json?: (value: unknown) => string): string[] {
  return textsOf(row, outcome[row.field], json);
}
