/** What a session has used until now, read from its transcript: the last record of it, and the answers since. */
import type { ModelUsage } from '../models/port.js';
import { cached, type ModelSpending, totalTokens } from '../models/usage.js';
import { type Fields, isFields } from './read-block.js';

export interface PastSpending {
  /** By model. */
  readonly recorded: Readonly<Record<string, ModelSpending>>;
  /** Answers after the record, as when a session ended without one. */
  readonly since: readonly { readonly model: string; readonly usage: ModelUsage }[];
}

export class SpendingReader {
  #recorded: Record<string, ModelSpending> = {};
  /** By the id of the answer: other programs write one line for each of its blocks. */
  #since = new Map<string, PastSpending['since'][number]>();

  record(byModel: Fields): void {
    const read = Object.entries(byModel).flatMap(([model, value]) =>
      isFields(value) ? [[model, value]] : [],
    );
    this.#recorded = Object.fromEntries(
      (read as [string, Fields][]).map(([model, fields]) => [
        model,
        {
          inputTokens: count(fields['inputTokens']),
          outputTokens: count(fields['outputTokens']),
          cacheReadInputTokens: count(fields['cacheReadInputTokens']),
          cacheCreationInputTokens: count(fields['cacheCreationInputTokens']),
          costUSD: count(fields['costUSD']),
        },
      ]),
    );
    this.#since.clear();
  }

  /** An answer without an id counts for itself. */
  answer(id: string | undefined, model: string, usage: ModelUsage): void {
    if (totalTokens(usage) > 0) this.#since.set(id ?? `line ${this.#since.size}`, { model, usage });
  }

  /** Undefined if nothing is known. */
  result(): PastSpending | undefined {
    if (Object.keys(this.#recorded).length === 0 && this.#since.size === 0) return undefined;
    return { recorded: this.#recorded, since: [...this.#since.values()] };
  }
}

/** The usage of a line, in the field names of the Messages API. */
export function readUsage(usage: unknown): ModelUsage {
  const fields = isFields(usage) ? usage : {};
  const written = isFields(fields['cache_creation']) ? fields['cache_creation'] : {};
  return {
    inputTokens: count(fields['input_tokens']),
    outputTokens: count(fields['output_tokens']),
    ...cached(
      count(fields['cache_read_input_tokens']),
      count(fields['cache_creation_input_tokens']),
      count(written['ephemeral_1h_input_tokens']),
    ),
  };
}

const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
