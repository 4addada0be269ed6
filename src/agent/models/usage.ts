/** Token counts of services in the port's form. */
import type { ModelUsage } from './port.js';

/** The counts of cached tokens; left out if there are none. */
export function cached(
  read: number | null | undefined,
  written: number | null | undefined,
): Pick<ModelUsage, 'cacheReadInputTokens' | 'cacheCreationInputTokens'> {
  return {
    ...(read ? { cacheReadInputTokens: read } : {}),
    ...(written ? { cacheCreationInputTokens: written } : {}),
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
}

export function toWireUsage(usage: ModelUsage): WireUsage {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheCreationInputTokens ?? 0,
    cache_read_input_tokens: usage.cacheReadInputTokens ?? 0,
    output_tokens: usage.outputTokens,
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
