/** What a session has cost until now, by its transcript. */
import { existsSync, readFileSync } from 'node:fs';
import { costOf, type ModelPrice, type ModelPrices, priceOf } from '../agent/models/prices.js';
import { readUsage } from '../agent/transcript/past-spending.js';

/** What tokens cost. */
export interface SessionCostOptions {
  /** Go before the list prices of the library. */
  readonly prices?: ModelPrices;
  /** For models without a price. Default: as an expensive one. */
  readonly otherwise?: ModelPrice;
}

const EXPENSIVE: ModelPrice = { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 };

interface Answer {
  readonly id?: string;
  readonly model?: string;
  readonly usage?: object;
}

/**
 * In US dollars, each answer of the transcript counted once. Undefined if the file is missing or has no line of a
 * conversation, as with hosts that write none. Throws if it cannot be read.
 */
export function sessionCost(
  transcript: string,
  { prices = {}, otherwise = EXPENSIVE }: SessionCostOptions = {},
): number | undefined {
  if (!existsSync(transcript)) return undefined;
  const answers = new Map<string, Answer>();
  let isConversation = false;
  for (const line of readFileSync(transcript, 'utf8').split('\n')) {
    const entry = parse(line);
    isConversation ||= entry?.type === 'user' || entry?.type === 'assistant';
    // An answer may have several lines; the last one has its final usage.
    if (entry?.message?.usage) answers.set(entry.message.id ?? `line ${answers.size}`, entry.message);
  }
  if (!isConversation) return undefined;
  return [...answers.values()].reduce(
    (sum, { model = '', usage }) => sum + costOf(readUsage(usage), priceOf(model, prices) ?? otherwise),
    0,
  );
}

function parse(line: string): { readonly type?: string; readonly message?: Answer } | undefined {
  try {
    return JSON.parse(line) ?? undefined;
  } catch {
    return undefined;
  }
}
