/** Claude models through the Messages API. Loads `@anthropic-ai/sdk` on first use. */
import type Anthropic from '@anthropic-ai/sdk';
import { anthropicBody } from './anthropic-body.js';
import { readAnthropic } from './anthropic-reader.js';
import { streamCall } from './call.js';
import { loadPackage } from './load-package.js';
import { checkOptions, clientOptions, SERVICE_OPTIONS, type ServiceOptions } from './options.js';
import type { Model } from './port.js';

/** Options of `anthropicModel`. */
export type AnthropicModelOptions = ServiceOptions;

/** List prices of the five-minute cache, by model family; used for estimates only. */
const CACHE_WRITE_USD_PER_MILLION = [
  ['opus', 6.25],
  ['sonnet', 3.75],
  ['haiku', 1.25],
] as const;

/**
 * Creates a Claude model. Loads `@anthropic-ai/sdk` with the first request; if it is not installed, the stream throws
 * a `ModelError` with code `missing_package`. Throws a `HookError` with code `invalid_option` if an option is
 * invalid.
 */
export function anthropicModel(options: AnthropicModelOptions): Model {
  checkOptions('anthropicModel', options, SERVICE_OPTIONS);
  const service = `anthropic ${options.model}`;
  let client: Anthropic | undefined;
  const connect = async (): Promise<Anthropic> => {
    const sdk = await loadPackage('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'));
    client ??= new sdk.Anthropic(clientOptions(options));
    return client;
  };
  return {
    name: options.model,
    stream: (request) =>
      streamCall({
        service,
        signal: request.signal,
        reader: readAnthropic(service),
        open: async (signal) =>
          (await connect()).messages.create(anthropicBody(request, options), { signal }),
      }),
    cacheWriteUsd: (tokens) => {
      const price = CACHE_WRITE_USD_PER_MILLION.find(([family]) => options.model.includes(family))?.[1];
      return price === undefined ? undefined : (tokens * price) / 1_000_000;
    },
  };
}
