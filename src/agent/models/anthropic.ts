/** Claude models through the Messages API. Loads `@anthropic-ai/sdk` on first use. */
import type Anthropic from '@anthropic-ai/sdk';
import { loadOptional, rethrow } from '../../base/optional-package.js';
import { ANTHROPIC_NAMES, anthropicBody, usualMaxTokens } from './anthropic-body.js';
import { readAnthropic } from './anthropic-reader.js';
import { streamCall } from './call.js';
import { ownNames } from './call-names.js';
import { checkOptions, clientOptions, modelOf, refuseOption, retriesOf, SERVICE_OPTIONS } from './options.js';
import type { Model } from './port.js';
import { missingPackage } from './service-error.js';
import type { AnthropicBodyOptions, AnthropicThinking } from './service-options.js';

export type { AnthropicThinking };

/** Options of `anthropicModel`. */
export interface AnthropicModelOptions extends AnthropicBodyOptions {
  /** Whether and how Claude thinks before it answers. Default: as the model does. */
  readonly thinking?: AnthropicThinking;
  /**
   * How long the service caches what stays the same from request to request: tools, system prompt and conversation so far.
   * `false` caches nothing. Default: `5m`.
   */
  readonly cache?: '5m' | '1h' | false;
}

/**
 * Creates a Claude model. Loads `@anthropic-ai/sdk` with the first request; if it is not installed, the stream throws
 * a `ModelError` with code `missing_package`. Throws a `HookError` with code `invalid_option` if an option is
 * invalid.
 */
export function anthropicModel(options: AnthropicModelOptions): Model {
  checkOptions('anthropicModel', options, { ...SERVICE_OPTIONS, thinking: true, cache: true });
  checkThinking(options);
  const { cache } = options;
  if (![undefined, '5m', '1h', false].includes(cache))
    refuseOption('anthropicModel', 'cache', "'5m', '1h' or false", cache);
  const service = `anthropic ${options.model}`;
  let client: Anthropic | undefined;
  const connect = async (): Promise<Anthropic> => {
    const sdk = await loadOptional(
      '@anthropic-ai/sdk',
      'This model needs',
      async () => {
        try {
          return await import('@anthropic-ai/sdk');
        } catch (error) {
          return rethrow(error);
        }
      },
      missingPackage,
    );
    client ??= new sdk.Anthropic(clientOptions(options, (key) => ({ 'X-Api-Key': key })));
    return client;
  };
  return {
    name: options.model,
    maxTokens: limitsOf(options),
    effort: options.effort,
    stream: (request) =>
      streamCall({
        service,
        signal: request.signal,
        retries: retriesOf(options),
        read: () =>
          readAnthropic(service, modelOf(options, request), ownNames(request.tools, ANTHROPIC_NAMES)),
        open: async (signal) =>
          (await connect()).messages.create(anthropicBody(request, options), { signal }),
      }),
  };
}

/** Every Claude model since 4.5 can answer this long. A limit of the caller is raised only if the caller says so. */
const RAISED_MAX_TOKENS = 64_000;

function limitsOf(options: AnthropicModelOptions): NonNullable<Model['maxTokens']> {
  const { maxTokens, raisedMaxTokens = maxTokens === undefined ? RAISED_MAX_TOKENS : undefined } = options;
  const usual = usualMaxTokens(options);
  return {
    usual,
    ...(raisedMaxTokens !== undefined && raisedMaxTokens > usual && { raised: raisedMaxTokens }),
  };
}

const THINKING_TYPES: readonly unknown[] = ['adaptive', 'enabled', 'disabled'];
const MIN_BUDGET = 1024;

function checkThinking({ thinking, maxTokens, extraBody }: AnthropicModelOptions): void {
  if (thinking === undefined) return;
  const refuse = (expected: string, value: unknown) =>
    refuseOption('anthropicModel', 'thinking', expected, value);
  if (!THINKING_TYPES.includes(Object(thinking).type))
    refuse("an object with the type 'adaptive', 'enabled' or 'disabled'", thinking);
  if (thinking.type === 'disabled') return;
  const choice = Object(extraBody?.['tool_choice']).type;
  if (choice === 'any' || choice === 'tool')
    refuse(`disabled if \`extraBody.tool_choice\` forces a tool (${choice})`, thinking.type);
  if (thinking.type !== 'enabled') return;
  const { budgetTokens } = thinking;
  if (!(Number.isInteger(budgetTokens) && budgetTokens >= MIN_BUDGET))
    refuse(`enabled with \`budgetTokens\` of at least ${MIN_BUDGET}`, budgetTokens);
  if (maxTokens !== undefined && maxTokens <= budgetTokens)
    refuse(`enabled with \`budgetTokens\` below \`maxTokens\` (${maxTokens})`, budgetTokens);
}
