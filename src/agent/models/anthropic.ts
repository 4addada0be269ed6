/** Claude models through the Messages API, on `@anthropic-ai/sdk`, which is loaded on use. */
import type Anthropic from '@anthropic-ai/sdk';
import { anthropicBody } from './anthropic-body.js';
import { readAnthropic } from './anthropic-reader.js';
import { streamCall } from './call.js';
import { loadPackage } from './load-package.js';
import { checkOptions, clientOptions, SERVICE_OPTIONS, type ServiceOptions } from './options.js';
import type { Model } from './port.js';

/** Which model, by which way, with which limits. */
export type AnthropicModelOptions = ServiceOptions;

/** List prices of a five-minute cache, by family. An estimate is all that is wanted of them. */
const CACHE_WRITE_USD_PER_MILLION = [
  ['opus', 6.25],
  ['sonnet', 3.75],
  ['haiku', 1.25],
] as const;

/**
 * A Claude model. `@anthropic-ai/sdk` is loaded with the first request; where it is missing, the stream throws a
 * `ModelError`, code `missing_package`. Throws a `HookError`, code `invalid_option`, for options that cannot be used.
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
