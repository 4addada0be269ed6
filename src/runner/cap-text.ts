/** Cuts long text for the model to a preview, and saves the whole text in a private file that the preview names. */
import { cutAt } from '../base/text/cut-text.js';
import type { LateAnswer } from './late.js';
import type { HookResult, WholeOutcome } from './outcome.js';
import { CAPPED_ROWS, LATE_KEYS, type OutcomeRow, saidOf, textsIn, textsOf } from './outcome-rows.js';
import type { SpillStore } from './spill-store.js';

type Cap = (text: string) => Promise<string>;
type Texts = Readonly<Record<string, string | undefined>>;

export const DEFAULT_TEXT_LIMIT = 10_000;
const PREVIEW = 2_000;

/** Returns the outcome itself, without waiting, if all its texts are short enough. Nearly always they are. */
export function capTexts(
  outcome: WholeOutcome,
  limit: number,
  store: SpillStore,
): WholeOutcome | Promise<WholeOutcome> {
  return hasLongText(outcome, limit) ? capLong(outcome, limit, store) : outcome;
}

/** The fields of a hook's result that contain texts. */
const CAPPED_OF_HOOK = [
  'message' as const,
  ...CAPPED_ROWS.flatMap(({ verdict, ofHook }) => (ofHook === 'result' && verdict !== null ? [verdict] : [])),
] as readonly (keyof HookResult)[];

/** The fields that `hasLongText` checks. The table is the reference; a test compares the two. */
const STRAIGHT: ReadonlySet<string> = new Set<keyof WholeOutcome | keyof HookResult>([
  'reason',
  'message',
  'stopReason',
  'additionalContext',
  'systemMessages',
  'systemMessage',
  'injections',
]);
const FURTHER_ROWS = CAPPED_ROWS.filter(({ field }) => !STRAIGHT.has(field));

/** Written out for speed, like the fold: every outcome is checked. */
function hasLongText(outcome: WholeOutcome, limit: number): boolean {
  const { reason, stopReason, additionalContext, systemMessages, injections, results } = outcome;
  return (
    isLong(reason, limit) ||
    isLong(stopReason, limit) ||
    // The lists are mostly empty and then shared by all outcomes: comparing with the shared list is cheaper than
    // asking for entries.
    (additionalContext.length > 0 && additionalContext.some((text) => text.length > limit)) ||
    (systemMessages.length > 0 && systemMessages.some((text) => text.length > limit)) ||
    (injections.length > 0 && injections.some(({ content }) => content.length > limit)) ||
    hasLongResult(results, limit) ||
    (FURTHER_ROWS.length > 0 && hasLongField(outcome, FURTHER_ROWS, limit))
  );
}

function hasLongResult(results: WholeOutcome['results'], limit: number): boolean {
  for (let i = 0; i < results.length; i++) {
    const { reason, stopReason, systemMessage } = results[i] as HookResult;
    if (isLong(reason, limit) || isLong(stopReason, limit) || isLong(systemMessage, limit)) return true;
  }
  return false;
}

function isLong(text: string | undefined, limit: number): boolean {
  return text !== undefined && text.length > limit;
}

/** The same, driven by the table, for any fields. */
function hasLongField(outcome: WholeOutcome, rows: readonly OutcomeRow[], limit: number): boolean {
  return rows.some(
    (row) =>
      textsIn(outcome, row).some((text) => text.length > limit) ||
      outcome.results.some((result) => textsOf(row, saidOf(row, result)).some((text) => text.length > limit)),
  );
}

async function capLong(outcome: WholeOutcome, limit: number, store: SpillStore): Promise<WholeOutcome> {
  // The same text occurs in several fields; it is saved once.
  const previews = new Map<string, Promise<string>>();
  const cap: Cap = async (text) => {
    if (text.length <= limit) return text;
    const known = previews.get(text) ?? preview(text, limit, store);
    previews.set(text, known);
    return known;
  };
  const capped: Record<string, unknown> = {};
  for (const { field, text } of CAPPED_ROWS)
    if (outcome[field] !== undefined) capped[field] = await capValue(outcome[field], text, cap);
  const results = await Promise.all(outcome.results.map((result) => capKeys(result, CAPPED_OF_HOOK, cap)));
  return { ...outcome, ...capped, results };
}

async function capValue(value: unknown, form: OutcomeRow['text'], cap: Cap): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => capValue(each, form, cap)));
  return typeof form === 'object' ? capKeys(value as Texts, [form.key], cap) : cap(value as string);
}

/** Caps the keys that are present. */
async function capKeys<T extends object>(holder: T, keys: readonly string[], cap: Cap): Promise<T> {
  const capped: Record<string, string> = {};
  for (const key of keys) {
    const text = (holder as Texts)[key];
    if (text !== undefined) capped[key] = await cap(text);
  }
  return { ...holder, ...capped };
}

/** The same for the late answer of a background hook. */
export async function capLate(answer: LateAnswer, limit: number, store: SpillStore): Promise<LateAnswer> {
  return capKeys(answer, LATE_KEYS, async (text) =>
    text.length > limit ? preview(text, limit, store) : text,
  );
}

async function preview(text: string, limit: number, store: SpillStore): Promise<string> {
  const path = await store.save(text);
  const where = path === undefined ? 'the rest could not be saved' : `the whole text is in ${path}`;
  return `${cutAt(text, Math.min(PREVIEW, limit))}\n[cut: ${text.length} characters in all; ${where}]`;
}
