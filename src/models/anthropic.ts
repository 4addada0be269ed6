/** Claude models through the Messages API, on `@anthropic-ai/sdk`, which is loaded on use. */
import type Anthropic from '@anthropic-ai/sdk';
import { readAnthropic } from './anthropic-reader.js';
import { streamCall } from './call.js';
import { loadPackage } from './load-package.js';
import { checkOptions, clientOptions, modelOf, type ServiceOptions } from './options.js';
import type { ContentBlock, Model, ModelMessage, ModelRequest, ToolResultBlock } from './port.js';

/** Which model, by which way, with which limits. */
export type AnthropicModelOptions = ServiceOptions;

/** The API wants a limit with every request. */
const DEFAULT_MAX_TOKENS = 8192;

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
  checkOptions('anthropicModel', options);
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

/** The request as the API wants it. */
export function anthropicBody(
  request: ModelRequest,
  options: AnthropicModelOptions,
): Anthropic.MessageCreateParamsStreaming {
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema as Anthropic.Tool.InputSchema,
  }));
  return {
    model: modelOf(options, request),
    max_tokens: request.maxTokens ?? options.maxTokens ?? DEFAULT_MAX_TOKENS,
    ...(request.system === '' ? {} : { system: request.system }),
    messages: request.messages.flatMap(toMessage),
    ...(tools.length === 0 ? {} : { tools }),
    ...options.extraBody,
    stream: true,
  };
}

/** The canonical form is the API's own; but results must come first, and texts of white space are refused. */
function toMessage({ role, content }: ModelMessage): readonly Anthropic.MessageParam[] {
  const results = content.filter(({ type }) => type === 'tool_result');
  const others = content.filter(
    (block) => block.type === 'tool_use' || (block.type === 'text' && block.text.trim() !== ''),
  );
  const blocks = [...results, ...others].map(toBlock);
  return blocks.length === 0 ? [] : [{ role, content: blocks }];
}

/** Named fields only: what a transcript has added to a block is refused by the API. */
function toBlock(block: ContentBlock): Anthropic.ContentBlockParam {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'tool_use')
    return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
  return {
    type: 'tool_result',
    tool_use_id: block.tool_use_id,
    content: resultContent(block.content),
    ...(block.is_error === undefined ? {} : { is_error: block.is_error }),
  };
}

/** Blocks other than text (images) come from tools that know the format; the port does not describe them. */
function resultContent(
  content: ToolResultBlock['content'],
): NonNullable<Anthropic.ToolResultBlockParam['content']> {
  if (typeof content === 'string') return content;
  const said = content.filter((part) => !('text' in part) || part.text.trim() !== '');
  return said as NonNullable<Anthropic.ToolResultBlockParam['content']>;
}
