/** Long text for the model is cut to a preview; the whole of it is kept in a private file that the preview names. */
import { cutAt } from '../base/text/cut-text.js';
import type { LateAnswer } from './late.js';
import type { HookOutcome, HookResult } from './outcome.js';
import type { SpillStore } from './spill-store.js';

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

function hasLongText(outcome: HookOutcome, limit: number): boolean {
  const { reason, stopReason, additionalContext, systemMessages, injections, results } = outcome;
  return (
    isLong(reason, limit) ||
    isLong(stopReason, limit) ||
    // The lists are mostly empty, and then one that all outcomes share: asking it for its entries costs more than this.
    (additionalContext.length > 0 && additionalContext.some((text) => text.length > limit)) ||
    (systemMessages.length > 0 && systemMessages.some((text) => text.length > limit)) ||
    (injections.length > 0 && injections.some(({ content }) => content.length > limit)) ||
    hasLongResult(results, limit)
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

async function capLong(outcome: HookOutcome, limit: number, store: SpillStore): Promise<HookOutcome> {
  // The same text stands in several places, and is kept once.
  const previews = new Map<string, Promise<string>>();
  const cap = async (text: string): Promise<string> => {
    if (text.length <= limit) return text;
    const known = previews.get(text) ?? preview(text, limit, store);
    previews.set(text, known);
    return known;
  };
  const { additionalContext, systemMessages, injections, results } = outcome;
  return {
    ...outcome,
    ...(await capFields(outcome, ['reason', 'stopReason'], cap)),
    additionalContext: await Promise.all(additionalContext.map(cap)),
    systemMessages: await Promise.all(systemMessages.map(cap)),
    injections: await Promise.all(
      injections.map(async (each) => ({ ...each, content: await cap(each.content) })),
    ),
    results: await Promise.all(
      results.map(async (result) => ({
        ...result,
        ...(await capFields(result, ['reason', 'message', 'stopReason', 'systemMessage'], cap)),
      })),
    ),
  };
}

/** Those of the fields that are there. */
async function capFields<K extends string>(
  holder: { readonly [Key in K]?: string | undefined },
  keys: readonly K[],
  cap: (text: string) => Promise<string>,
): Promise<{ readonly [Key in K]?: string }> {
  const capped: { [Key in K]?: string } = {};
  for (const key of keys) {
    const text = holder[key];
    if (text !== undefined) capped[key] = await cap(text);
  }
  return capped;
}

/** The same for what a hook in the background has to tell. */
export async function capLate(answer: LateAnswer, limit: number, store: SpillStore): Promise<LateAnswer> {
  const { additionalContext: context, systemMessage: message } = answer;
  return {
    ...answer,
    ...(context !== undefined &&
      context.length > limit && { additionalContext: await preview(context, limit, store) }),
    ...(message !== undefined &&
      message.length > limit && { systemMessage: await preview(message, limit, store) }),
  };
}

async function preview(text: string, limit: number, store: SpillStore): Promise<string> {
  const path = await store.save(text);
  const where = path === undefined ? 'the rest could not be saved' : `the whole text is in ${path}`;
  return `${cutAt(text, Math.min(PREVIEW, limit))}\n[cut: ${text.length} characters in all; ${where}]`;
}
