/** Requests in the words of the Messages API. Apart, so that the package's types name its SDK only where it is used. */
import type Anthropic from '@anthropic-ai/sdk';
import { modelOf, type ServiceOptions } from './options.js';
import type { ContentBlock, ModelMessage, ModelRequest, ToolResultBlock } from './port.js';

/** The API wants a limit with every request. */
const DEFAULT_MAX_TOKENS = 8192;

/** The request as the API wants it. */
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
