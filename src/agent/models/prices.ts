/** What tokens cost. */
import type { ModelUsage } from './port.js';

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Default: the price of input. */
  readonly cacheRead?: number;
  /** Default: the price of input. */
  readonly cacheWrite?: number;
}

/** Prices by the name of a model, or by the beginning of names; the longest that fits counts. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** List prices. They change, and contracts differ: the option `prices` of a loop goes before. */
export const LIST_PRICES: ModelPrices = {
  'claude-opus': { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
  'claude-sonnet': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  'claude-haiku': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  'gpt-5': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5-pro': { input: 15, output: 120 },
  'gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025 },
  'gpt-5-nano': { input: 0.05, output: 0.4, cacheRead: 0.005 },
  'gpt-4.1': { input: 2, output: 8, cacheRead: 0.5 },
  'gpt-4.1-mini': { input: 0.4, output: 1.6, cacheRead: 0.1 },
  'gpt-4o': { input: 2.5, output: 10, cacheRead: 1.25 },
  'gpt-4o-mini': { input: 0.15, output: 0.6, cacheRead: 0.075 },
};

/** A version after the name is a part of it (`gpt-5-2025-08-07`), a number within it is another model (`gpt-5.4`). */
const fits = (model: string, name: string): boolean => model === name || model.startsWith(`${name}-`);

/** Undefined if the price of the model is not known. */
export function priceOf(model: string, prices: ModelPrices = {}): ModelPrice | undefined {
  for (const table of [prices, LIST_PRICES]) {
    const [name] = Object.keys(table)
      .filter((each) => fits(model, each))
      .sort((a, b) => b.length - a.length);
    if (name !== undefined) return table[name];
  }
  return undefined;
}

export function costOf(usage: ModelUsage, { input, output, cacheRead, cacheWrite }: ModelPrice): number {
  const dollars =
    usage.inputTokens * input +
    usage.outputTokens * output +
    (usage.cacheReadInputTokens ?? 0) * (cacheRead ?? input) +
    (usage.cacheCreationInputTokens ?? 0) * (cacheWrite ?? input);
  return dollars / 1_000_000;
}
