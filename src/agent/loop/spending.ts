/** Counts what a session uses and costs: all of its agents, turns and summaries. */
import { HookError, show } from '../../base/errors.js';
import type { Model, ModelUsage } from '../models/port.js';
import { costOf, type ModelPrices, priceOf } from '../models/prices.js';
import { addUsage, cached, type ModelSpending, totalTokens } from '../models/usage.js';
import type { PastSpending } from '../transcript/past-spending.js';
import type { Transcript } from '../transcript/transcript.js';
import type { AgentLoopOptions } from './options.js';
import type { Session } from './session.js';
import type { TurnEnd } from './take-turns.js';

export class Spending {
  readonly #prices: ModelPrices | undefined;
  #isRecorded = true;
  readonly #byModel = new Map<string, { usage: ModelUsage; cost: number }>();

  /** `past`: what a resumed session has used before. What it cost then stays as it was counted. */
  constructor(prices: ModelPrices | undefined, past?: PastSpending) {
    this.#prices = prices;
    for (const [model, { costUSD, ...counts }] of Object.entries(past?.recorded ?? {})) {
      const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = counts;
      const usage = { inputTokens, outputTokens, ...cached(cacheReadInputTokens, cacheCreationInputTokens) };
      this.#byModel.set(model, { usage, cost: costUSD });
    }
    for (const { model, usage } of past?.since ?? []) this.add(model, usage);
  }

  add(model: string, usage: ModelUsage): void {
    if (totalTokens(usage) > 0) this.#isRecorded = false;
    const price = priceOf(model, this.#prices);
    const before = this.#byModel.get(model);
    this.#byModel.set(model, {
      usage: before === undefined ? usage : addUsage(before.usage, usage),
      cost: (before?.cost ?? 0) + (price === undefined ? 0 : costOf(usage, price)),
    });
  }

  /** Writes what was used to the transcript, if it has changed, so that a resumed session counts on from there. */
  record(transcript: Transcript | undefined): void {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    void transcript?.append({ type: 'spending', byModel: this.byModel() });
  }

  /** Models whose price is not known count as 0. */
  get totalUsd(): number {
    return [...this.#byModel.values()].reduce((sum, { cost }) => sum + cost, 0);
  }

  byModel(): Readonly<Record<string, ModelSpending>> {
    return Object.fromEntries(
      [...this.#byModel].map(([model, { usage, cost }]) => [
        model,
        {
          inputTokens: usage.inputTokens,
          outputTokens: usage.outputTokens,
          cacheReadInputTokens: usage.cacheReadInputTokens ?? 0,
          cacheCreationInputTokens: usage.cacheCreationInputTokens ?? 0,
          costUSD: cost,
        },
      ]),
    );
  }

  /** The models that were used and have no price. */
  unpriced(): readonly string[] {
    return [...this.#byModel.keys()].filter((model) => priceOf(model, this.#prices) === undefined);
  }
}

/** Counts a request for the prompt and for the session. */
export function countUsage(session: Session, model: string, usage: ModelUsage): void {
  session.tally.usage = addUsage(session.tally.usage, usage);
  session.spending.add(model, usage);
}

/** The end of the turn if the budget is used up. */
export function endOfBudget({ spending, options: { maxBudgetUsd } }: Session): TurnEnd | undefined {
  if (maxBudgetUsd === undefined || spending.totalUsd < maxBudgetUsd) return undefined;
  const spent = spending.totalUsd.toFixed(4);
  return {
    reason: 'max_budget_usd',
    error: `The budget of $${maxBudgetUsd} is used up: the session has cost $${spent}. Raise \`maxBudgetUsd\` to go on.`,
  };
}

/** Throws a `HookError` if the budget is not a number above 0, or cannot be kept because a price is not known. */
export function checkBudget({
  maxBudgetUsd,
  prices,
  model,
  fallbackModel,
  agents = {},
}: AgentLoopOptions): void {
  if (maxBudgetUsd === undefined) return;
  if (!(typeof maxBudgetUsd === 'number' && maxBudgetUsd > 0))
    throw new HookError(
      'invalid_option',
      `maxBudgetUsd is ${show(maxBudgetUsd)}; give a number of US dollars above 0.`,
    );
  const models = [model, fallbackModel, ...Object.values(agents).map((agent) => agent.model)];
  for (const each of models) if (each !== undefined) checkPrice(each, prices);
}

export function checkPrice({ name }: Model, prices: ModelPrices | undefined): void {
  if (priceOf(name, prices) !== undefined) return;
  throw new HookError(
    'invalid_option',
    `maxBudgetUsd cannot be kept: the price of the model ${show(name)} is not known. Give it with \`prices\`: { ${show(name)}: { input, output } } in US dollars for a million tokens.`,
  );
}
