/**
 * Builds requests for the Messages API. A separate file, so that the package's types refer to the SDK only where it
 * is used.
 */
import type Anthropic from '@anthropic-ai/sdk';
import { modelOf, type ServiceOptions } from './options.js';
import type { ContentBlock, ModelMessage, ModelRequest, ToolResultBlock } from './port.js';

/** The API requires a limit in every request. */
const DEFAULT_MAX_TOKENS = 8192;

/** Builds the request body. */
export function anthropicBody(
  request: ModelRequest,
  options: ServiceOptions,
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

/**
 * The canonical form is the API's own, except that results must come first and whitespace-only texts are rejected.
 */
function toMessage({ role, content }: ModelMessage): readonly Anthropic.MessageParam[] {
  const results = content.filter(({ type }) => type === 'tool_result');
  const others = content.filter(
    (block) => block.type === 'tool_use' || (block.type === 'text' && block.text.trim() !== ''),
  );
  const blocks = [...results, ...others].map(toBlock);
  return blocks.length === 0 ? [] : [{ role, content: blocks }];
}

/** Copies known fields only: the API rejects extra fields that a transcript may have added. */
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
  const kept = content.filter((part) => !('text' in part) || part.text.trim() !== '');
  return kept as NonNullable<Anthropic.ToolResultBlockParam['content']>;
}
