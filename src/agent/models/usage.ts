/** Token counts of services in the port's form. */
import type { ModelUsage } from './port.js';

/** The counts of cached tokens; left out if there are none. */
export function cached(
  read: number | null | undefined,
  written: number | null | undefined,
  writtenFor1h?: number | null | undefined,
): Omit<ModelUsage, 'inputTokens' | 'outputTokens'> {
  return {
    ...(read ? { cacheReadInputTokens: read } : {}),
    ...(written ? { cacheCreationInputTokens: written } : {}),
    ...(writtenFor1h ? { cacheCreation1hInputTokens: writtenFor1h } : {}),
  };
}

/** For services that count cached tokens as part of the input. */
export function usageWithin(
  input: number,
  output: number,
  read: number | null | undefined,
  written: number | null | undefined,
): ModelUsage {
  return {
    inputTokens: Math.max(0, input - (read ?? 0) - (written ?? 0)),
    outputTokens: output,
    ...cached(read, written),
  };
}

export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...cached(
      (a.cacheReadInputTokens ?? 0) + (b.cacheReadInputTokens ?? 0),
      (a.cacheCreationInputTokens ?? 0) + (b.cacheCreationInputTokens ?? 0),
      (a.cacheCreation1hInputTokens ?? 0) + (b.cacheCreation1hInputTokens ?? 0),
    ),
  };
}

/** All tokens of a request and its answer: what the conversation takes up of the context window. */
export function totalTokens(usage: ModelUsage): number {
  return (
    usage.inputTokens +
    usage.outputTokens +
    (usage.cacheReadInputTokens ?? 0) +
    (usage.cacheCreationInputTokens ?? 0)
  );
}

/** A usage in the field names of the Messages API and the Agent SDK. */
export interface WireUsage {
  /** Without those that were read from a cache or written to it. */
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
  /** For how long tokens were written to the cache; only if it was for an hour. */
  readonly cache_creation?: {
    readonly ephemeral_5m_input_tokens: number;
    readonly ephemeral_1h_input_tokens: number;
  };
}

export function toWireUsage(usage: ModelUsage): WireUsage {
  const { cacheCreationInputTokens: written = 0, cacheCreation1hInputTokens: hour = 0 } = usage;
  const cache_creation = { ephemeral_5m_input_tokens: written - hour, ephemeral_1h_input_tokens: hour };
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: usage.cacheReadInputTokens ?? 0,
    output_tokens: usage.outputTokens,
    ...(hour > 0 && { cache_creation }),
  };
}

/** What a session has used of one model, in the Agent SDK's field names. */
export interface ModelSpending {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly costUSD: number;
}
