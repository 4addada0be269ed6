/** How one hook's answer enters the outcome: one function per field, built once from the table. */
import type { Executed } from './fast/execute.js';
import type { HookNote, WholeOutcome } from './outcome.js';
import type { FieldFold, OutcomeField } from './outcome-fields.js';
import { isThere, OUTCOME_ROWS, type OutcomeRow } from './outcome-rows.js';

export type Unfinished = {
  -readonly [K in keyof WholeOutcome]: WholeOutcome[K] extends readonly (infer I)[] ? I[] : WholeOutcome[K];
};

type Fold = (outcome: Unfinished, value: unknown, executed: Executed) => void;
type Fields = Partial<Record<OutcomeField, unknown>>;

/** The shared empty list. */
export const NONE: readonly never[] = Object.freeze([]);

/** The initial value of a field; undefined: the field is absent. */
const AT_FIRST: Readonly<Record<FieldFold, false | typeof NONE | undefined>> = {
  strictest: undefined,
  'reason-of-strictest': undefined,
  'false-first': undefined,
  'reason-of-false': undefined,
  any: false,
  last: undefined,
  each: NONE,
  all: NONE,
  'all-with-hook': NONE,
  'made-by-runner': NONE,
};

export const NOTHING_SAID = Object.fromEntries(
  OUTCOME_ROWS.flatMap(({ field, fold }) => (AT_FIRST[fold] === undefined ? [] : [[field, AT_FIRST[fold]]])),
) as unknown as Pick<WholeOutcome, OutcomeField>;

/** Undefined: the field is not folded hook by hook. */
const FOLDS: Readonly<Record<FieldFold, ((row: OutcomeRow) => Fold) | undefined>> = {
  strictest: undefined,
  'reason-of-strictest': undefined,
  'false-first': () => foldContinue,
  'reason-of-false': undefined,
  any:
    ({ field }) =>
    (outcome, value) => {
      if (value === true) (outcome as Fields)[field] = true;
    },
  last:
    ({ field }) =>
    (outcome, value) => {
      (outcome as Fields)[field] = value;
    },
  each:
    ({ field }) =>
    (outcome, value) =>
      add(outcome, field, value),
  all:
    ({ field }) =>
    (outcome, values) => {
      for (const value of values as readonly unknown[]) add(outcome, field, value);
    },
  'all-with-hook':
    () =>
    (outcome, messages, { result }) => {
      for (const message of messages as readonly string[]) note(outcome, result, message);
    },
  'made-by-runner': undefined,
};

/** The fields that `foldHook` handles. The table is the reference; a test compares the two. */
const STRAIGHT: ReadonlySet<OutcomeField> = new Set([
  'continue',
  'stopReason',
  'suppressOutput',
  'updatedInput',
  'updatedOutput',
  'systemMessages',
  'additionalContext',
  'hookSpecificOutputs',
  'injections',
  'notes',
]);
const FURTHER_ROWS = OUTCOME_ROWS.filter(({ field }) => !STRAIGHT.has(field));
const foldFurther = foldOf(FURTHER_ROWS);

/** Written out, because driven by the table a fire with a deciding hook took a tenth longer. */
export function foldHook(outcome: Unfinished, executed: Executed): void {
  const { verdict, result, pending } = executed;
  if (verdict.continue !== undefined) foldContinue(outcome, verdict.continue, executed);
  if (verdict.suppressOutput === true) outcome.suppressOutput = true;
  if (verdict.updatedInput !== undefined) outcome.updatedInput = verdict.updatedInput;
  if (verdict.hasUpdatedOutput === true) outcome.updatedOutput = verdict.updatedOutput;
  if (verdict.systemMessage !== undefined) add(outcome, 'systemMessages', verdict.systemMessage);
  if (verdict.additionalContext !== undefined) add(outcome, 'additionalContext', verdict.additionalContext);
  if (result.hookSpecificOutput !== undefined) add(outcome, 'hookSpecificOutputs', result.hookSpecificOutput);
  if (verdict.injections !== undefined)
    for (const injection of verdict.injections) add(outcome, 'injections', injection);
  if (verdict.notes !== undefined) for (const message of verdict.notes) note(outcome, result, message);
  if (result.failure !== undefined) add(outcome, 'failures', result.failure);
  if (pending !== undefined) add(outcome, 'pending', pending);
  if (foldFurther !== undefined) foldFurther(outcome, executed);
}

/** The same, driven by the table, for any fields; undefined if none of them is folded hook by hook. */
export function foldOf(
  rows: readonly OutcomeRow[],
): ((outcome: Unfinished, executed: Executed) => void) | undefined {
  const folds = rows.flatMap((row) => {
    const fold = FOLDS[row.fold]?.(row);
    return fold === undefined ? [] : [{ row, fold }];
  });
  if (folds.length === 0) return undefined;
  return (outcome, executed) => {
    const { verdict } = executed;
    for (const { row, fold } of folds)
      if (row.verdict !== null && isThere(row, verdict)) fold(outcome, verdict[row.verdict], executed);
  };
}

function foldContinue(outcome: Unfinished, goesOn: unknown, { verdict }: Executed): void {
  if (goesOn === false && outcome.continue !== false) {
    outcome.continue = false;
    if (verdict.stopReason !== undefined) outcome.stopReason = verdict.stopReason;
  } else if (goesOn === true) outcome.continue ??= true;
}

const REWRITES = OUTCOME_ROWS.filter(({ role }) => role === 'rewrites');

/** Two parallel hooks rewrote the same thing: the later one in plan order wins, and a note says so. */
export function noteConflicts(outcome: Unfinished, hooks: readonly Executed[]): void {
  const rewritten = new Set<OutcomeRow>();
  for (const { result, verdict } of hooks) {
    for (const row of REWRITES.filter((each) => isThere(each, verdict))) {
      if (rewritten.has(row))
        note(outcome, result, `its ${rewriteOf(row)} replaces that of a hook that ran in parallel`);
      rewritten.add(row);
    }
  }
}

/** The field is labelled "new input" in outcomes; a conflict calls it "rewritten input". */
function rewriteOf({ field, shown }: OutcomeRow): string {
  return shown === null ? field : shown.label.replace(/^new /, 'rewritten ');
}

function note(
  outcome: Unfinished,
  { hookId, name }: Pick<HookNote, 'hookId' | 'name'>,
  message: string,
): void {
  add(outcome, 'notes', { hookId, name, message });
}

/** Empty lists are one shared frozen list, so the first entry creates a new list. */
function add(outcome: Unfinished, list: OutcomeField, item: unknown): void {
  const lists = outcome as Fields;
  const current = lists[list];
  if (current === NONE) lists[list] = [item];
  else (current as unknown[]).push(item);
}
