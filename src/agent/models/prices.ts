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
  /** Of tokens that stay in the cache for an hour. Default: `cacheWrite`. */
  readonly cacheWrite1h?: number;
  /** Other prices for requests with more input than this many tokens, cached ones included. */
  readonly above?: { readonly tokens: number } & Omit<ModelPrice, 'above'>;
}

/** Prices by the name of a model, or by the beginning of names (`gpt-5` for `gpt-5-mini`); the longest that fits counts. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** Claude's prices follow from two: writing to the cache costs a quarter more than input, for an hour twice as much as input. */
const claude = (input: number, output: number, cacheRead = input / 10): ModelPrice => ({
  input,
  output,
  cacheRead,
  cacheWrite: input * 1.25,
  cacheWrite1h: input * 2,
});

const gpt = (input: number, output: number, cacheRead = input / 10): ModelPrice => ({
  input,
  output,
  cacheRead,
});

/** Long requests cost twice the input and one and a half times the output. */
const longer = (price: ModelPrice, tokens = 272_000): ModelPrice => ({
  ...price,
  above: {
    tokens,
    input: price.input * 2,
    output: price.output * 1.5,
    ...(price.cacheRead !== undefined && { cacheRead: price.cacheRead * 2 }),
    ...(price.cacheWrite !== undefined && { cacheWrite: price.cacheWrite * 2 }),
  },
});

const written = (price: ModelPrice): ModelPrice => ({ ...price, cacheWrite: price.input * 1.25 });

/** List prices of November 2026. They change, and contracts differ: the option `prices` of a loop goes before. */
export const LIST_PRICES: ModelPrices = {
  'claude-fable-5': claude(10, 50),
  'claude-fable-5-1': claude(10, 50, 0.25),
  'claude-mythos-5': claude(10, 50),
  'claude-mythos-5-1': claude(10, 50, 0.25),
  'claude-opus-4': claude(15, 75),
  'claude-opus-4-1': claude(15, 75),
  'claude-opus-4-5': claude(5, 25),
  'claude-opus-4-6': claude(5, 25),
  'claude-opus-4-7': claude(5, 25),
  'claude-opus-4-8': claude(5, 25),
  'claude-opus-5': claude(5, 25),
  'claude-opus-5-5': claude(4, 20, 0.2),
  'claude-sonnet-4': claude(3, 15),
  'claude-sonnet-4-5': claude(3, 15),
  'claude-sonnet-4-6': claude(3, 15),
  'claude-sonnet-5': claude(2, 10),
  'claude-sonnet-5-5': claude(2, 10, 0.1),
  'claude-haiku-4-5': claude(1, 5),
  'claude-haiku-5-5': { ...claude(0.1, 0.5), above: { tokens: 100_000, ...claude(0.5, 2.5) } },
  'gpt-5': gpt(1.25, 10),
  'gpt-5-pro': { input: 15, output: 120 },
  'gpt-5-mini': gpt(0.25, 2),
  'gpt-5-nano': gpt(0.05, 0.4),
  'gpt-5.1': gpt(1.25, 10),
  'gpt-5.2': gpt(1.75, 14),
  'gpt-5.3-codex': gpt(1.75, 14),
  'gpt-5.4': longer(gpt(2.5, 15)),
  'gpt-5.4-mini': gpt(0.75, 4.5),
  'gpt-5.4-nano': gpt(0.2, 1.25),
  'gpt-5.5': longer(gpt(5, 30)),
  'gpt-5.5-pro': { input: 30, output: 180 },
  'gpt-5.6-luna': longer(written(gpt(0.2, 1.2)), 200_000),
  'gpt-5.6-sol': longer(written(gpt(5, 30))),
  'gpt-5.6-terra': longer(written(gpt(2, 12))),
  'gpt-4.1': gpt(2, 8, 0.5),
  'gpt-4.1-mini': gpt(0.4, 1.6, 0.1),
  'gpt-4.1-nano': gpt(0.1, 0.4, 0.025),
  'gpt-4o': gpt(2.5, 10, 1.25),
  'gpt-4o-mini': gpt(0.15, 0.6, 0.075),
};

/** The same model with a date after its name (`gpt-5-2025-08-07`). Any other ending is another model, which may cost more (`gpt-5.4-pro`). */
const DATE = /^-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/;

function listed(model: string): ModelPrice | undefined {
  const name = Object.keys(LIST_PRICES).find(
    (each) => model === each || (model.startsWith(each) && DATE.test(model.slice(each.length))),
  );
  return name === undefined ? undefined : LIST_PRICES[name];
}

/** Undefined if the price of the model is not known. */
export function priceOf(model: string, prices: ModelPrices = {}): ModelPrice | undefined {
  const [name] = Object.keys(prices)
    .filter((each) => model === each || model.startsWith(`${each}-`))
    .sort((a, b) => b.length - a.length);
  return name === undefined ? listed(model) : prices[name];
}

/** What one request costs. */
export function costOf(usage: ModelUsage, price: ModelPrice): number {
  const { inputTokens, outputTokens, cacheReadInputTokens = 0, cacheCreationInputTokens = 0 } = usage;
  const forAnHour = Math.min(usage.cacheCreation1hInputTokens ?? 0, cacheCreationInputTokens);
  const length = inputTokens + cacheReadInputTokens + cacheCreationInputTokens;
  const { above } = price;
  const {
    input,
    output,
    cacheRead = input,
    cacheWrite = input,
    cacheWrite1h = cacheWrite,
  } = above !== undefined && length > above.tokens ? above : price;
  const dollars =
    inputTokens * input +
    outputTokens * output +
    cacheReadInputTokens * cacheRead +
    (cacheCreationInputTokens - forAnHour) * cacheWrite +
    forAnHour * cacheWrite1h;
  return dollars / 1_000_000;
}
