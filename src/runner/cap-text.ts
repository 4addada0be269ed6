/** Long text for the model is cut to a preview; the whole of it is kept in a private file that the preview names. */
import { cutAt } from '../base/text/cut-text.js';
import type { LateAnswer } from './late.js';
import type { HookOutcome, HookResult } from './outcome.js';
import { CAPPED_ROWS, LATE_KEYS, type OutcomeRow, saidOf, textsIn, textsOf } from './outcome-rows.js';
import type { SpillStore } from './spill-store.js';

type Cap = (text: string) => Promise<string>;
type Texts = Readonly<Record<string, string | undefined>>;

export const DEFAULT_TEXT_LIMIT = 10_000;
const PREVIEW = 2_000;

/** Leaves an outcome alone whose texts are all short enough, which nearly all are: there is nothing to wait for. */
export function capTexts(
  outcome: HookOutcome,
  limit: number,
  store: SpillStore,
): HookOutcome | Promise<HookOutcome> {
  return hasLongText(outcome, limit) ? capLong(outcome, limit, store) : outcome;
}

/** Where texts stand in the result of one hook. */
const CAPPED_OF_HOOK = [
  'message' as const,
  ...CAPPED_ROWS.flatMap(({ verdict, ofHook }) => (ofHook === 'result' && verdict !== null ? [verdict] : [])),
] as readonly (keyof HookResult)[];

/** What the straight code below looks at; the table is the reference, and a test holds the one to the other. */
const STRAIGHT: ReadonlySet<string> = new Set<keyof HookOutcome | keyof HookResult>([
  'reason',
  'message',
  'stopReason',
  'additionalContext',
  'systemMessages',
  'systemMessage',
  'injections',
]);
const FURTHER_ROWS = CAPPED_ROWS.filter(({ field }) => !STRAIGHT.has(field));

/** Written out for the same reason as the fold: every outcome is looked at. */
function hasLongText(outcome: HookOutcome, limit: number): boolean {
  const { reason, stopReason, additionalContext, systemMessages, injections, results } = outcome;
  return (
    isLong(reason, limit) ||
    isLong(stopReason, limit) ||
    // The lists are mostly empty, and then one that all outcomes share: asking it for its entries costs more than this.
    (additionalContext.length > 0 && additionalContext.some((text) => text.length > limit)) ||
    (systemMessages.length > 0 && systemMessages.some((text) => text.length > limit)) ||
    (injections.length > 0 && injections.some(({ content }) => content.length > limit)) ||
    hasLongResult(results, limit) ||
    (FURTHER_ROWS.length > 0 && hasLongField(outcome, FURTHER_ROWS, limit))
  );
}

function hasLongResult(results: HookOutcome['results'], limit: number): boolean {
  for (let i = 0; i < results.length; i++) {
    const { reason, stopReason, systemMessage } = results[i] as HookResult;
    if (isLong(reason, limit) || isLong(stopReason, limit) || isLong(systemMessage, limit)) return true;
  }
  return false;
}

function isLong(text: string | undefined, limit: number): boolean {
  return text !== undefined && text.length > limit;
}

/** The same by the table, for any fields. */
function hasLongField(outcome: HookOutcome, rows: readonly OutcomeRow[], limit: number): boolean {
  return rows.some(
    (row) =>
      textsIn(outcome, row).some((text) => text.length > limit) ||
      outcome.results.some((result) => textsOf(row, saidOf(row, result)).some((text) => text.length > limit)),
  );
}

async function capLong(outcome: HookOutcome, limit: number, store: SpillStore): Promise<HookOutcome> {
  // The same text stands in several places, and is kept once.
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

/** Those of the keys that are there. */
async function capKeys<T extends object>(holder: T, keys: readonly string[], cap: Cap): Promise<T> {
  const capped: Record<string, string> = {};
  for (const key of keys) {
    const text = (holder as Texts)[key];
    if (text !== undefined) capped[key] = await cap(text);
  }
  return { ...holder, ...capped };
}

/** The same for what a hook in the background has to tell. */
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
