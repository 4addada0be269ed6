/**
 * Builds requests for the Messages API. A separate file, so that the package's types refer to the SDK only where it
 * is used.
 */
import type Anthropic from '@anthropic-ai/sdk';
import { markLast, markMessages, markOf } from './anthropic-cache.js';
import { type Accepted, accepted } from './call-names.js';
import { isThinking, withoutForeign } from './opaque.js';
import { modelOf } from './options.js';
import type { ContentBlock, ModelMessage, ModelRequest, ToolResultBlock } from './port.js';
import type { AnthropicBodyOptions } from './service-options.js';

/** The name of the service in opaque blocks. */
export const ANTHROPIC = 'anthropic';

export const ANTHROPIC_NAMES: Accepted = { length: 128, isPlain: true };
/** Ids have no limit of their own. */
const IDS: Accepted = { length: 128, isPlain: true };

/** The API requires a limit in every request. */
const DEFAULT_MAX_TOKENS = 8192;

/** Builds the request body. */
export function anthropicBody(
  request: ModelRequest,
  options: AnthropicBodyOptions,
): Anthropic.MessageCreateParamsStreaming {
  const model = modelOf(options, request);
  // Tools that the service runs itself are added to the tools of the request.
  const { tools: more, ...extraBody } = options.extraBody ?? {};
  const tools: readonly Anthropic.ToolUnion[] = [
    ...request.tools.map(({ name, description, inputSchema }) => ({
      name: accepted(name, ANTHROPIC_NAMES),
      description,
      input_schema: inputSchema as Anthropic.Tool.InputSchema,
    })),
    ...(Array.isArray(more) ? more : []),
  ];
  const messages = request.messages.flatMap((message) => toMessage(message, model));
  const thinking = thinkingFor(options, messages);
  const mark = markFor(request, options);
  return {
    model,
    max_tokens: maxTokensFor(request, options),
    ...(request.system === ''
      ? {}
      : { system: mark === undefined ? request.system : [{ type: 'text', text: request.system, ...mark }] }),
    messages: mark === undefined ? messages : markMessages(messages, mark),
    ...(tools.length === 0 ? {} : { tools: mark === undefined ? [...tools] : markLast(tools, mark) }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(options.effort === undefined
      ? {}
      : { output_config: { effort: options.effort as Anthropic.OutputConfig['effort'] & string } }),
    ...extraBody,
    stream: true,
  };
}

/** A question of a hook is asked once. If the caller has the service place a mark itself, there is no room for ours. */
function markFor({ purpose }: ModelRequest, { cache = '5m', extraBody }: AnthropicBodyOptions) {
  return cache === false || purpose === 'hook' || extraBody?.['cache_control'] ? undefined : markOf(cache);
}

/** The budget for thinking is part of the limit, so the answer gets its usual room on top of it. */
export function usualMaxTokens({ maxTokens, thinking }: AnthropicBodyOptions): number {
  return maxTokens ?? DEFAULT_MAX_TOKENS + (thinking?.type === 'enabled' ? thinking.budgetTokens : 0);
}

function maxTokensFor(request: ModelRequest, options: AnthropicBodyOptions): number {
  const budget = options.thinking?.type === 'enabled' ? options.thinking.budgetTokens : 0;
  const limit = request.maxTokens ?? usualMaxTokens(options);
  return limit > budget ? limit : limit + budget;
}

/**
 * With a fixed budget, the API demands that a turn with tool calls begins with thinking. If it began under another
 * model, whose thinking is left out, the rest of the turn goes without.
 */
function thinkingFor(
  { thinking }: AnthropicBodyOptions,
  messages: readonly Anthropic.MessageParam[],
): Anthropic.ThinkingConfigParam | undefined {
  if (thinking === undefined || thinking.type === 'disabled') return thinking;
  const display = thinking.display === undefined ? {} : { display: thinking.display };
  if (thinking.type === 'adaptive') return { type: 'adaptive', ...display };
  const prompt = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !holds(content, 'tool_result'),
  );
  const answer = messages.slice(prompt + 1).find(({ role }) => role === 'assistant');
  const first = typeof answer?.content === 'object' ? answer.content[0]?.type : undefined;
  if (answer !== undefined && first !== 'thinking' && first !== 'redacted_thinking') return undefined;
  return { type: 'enabled', budget_tokens: thinking.budgetTokens, ...display };
}

const holds = (content: Anthropic.MessageParam['content'], type: string): boolean =>
  typeof content === 'object' && content.some((block) => block.type === type);

/**
 * The canonical form is the API's own, except that results must come first and whitespace-only texts are rejected.
 */
function toMessage({ role, content }: ModelMessage, model: string): readonly Anthropic.MessageParam[] {
  const results = content.filter(({ type }) => type === 'tool_result');
  const others = withoutForeign(content, ANTHROPIC, model).filter(isAccepted);
  const blocks = [...results, ...others].map(toBlock);
  // What is left may be thinking alone, if its text was empty.
  if (others.length > 0 && results.length === 0 && others.every(isThinking)) return [];
  return blocks.length === 0 ? [] : [{ role, content: blocks }];
}

/** Thinking without a signature is not the model's own, or was cut off. */
function isAccepted(block: ContentBlock): boolean {
  if (block.type === 'text') return block.text.trim() !== '';
  if (block.type === 'thinking') return Boolean(block.signature);
  return block.type !== 'tool_result';
}

/** Copies known fields only: the API rejects extra fields that a transcript may have added. */
function toBlock(block: ContentBlock): Anthropic.ContentBlockParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'tool_use':
      return {
        type: 'tool_use',
        id: accepted(block.id, IDS),
        name: accepted(block.name, ANTHROPIC_NAMES),
        input: block.input,
      };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature ?? '' };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'service_block':
      return block.block as unknown as Anthropic.ContentBlockParam;
    case 'image':
      return { type: 'image', source: block.source as Anthropic.ImageBlockParam['source'] };
    case 'document': {
      const title = block.title === undefined ? {} : { title: block.title };
      return { type: 'document', source: block.source as Anthropic.DocumentBlockParam['source'], ...title };
    }
    case 'tool_result':
      return { type: 'tool_result', tool_use_id: accepted(block.tool_use_id, IDS), ...resultOf(block) };
  }
}

/** The content of a result, as the service accepts it. */
type Result = Pick<Anthropic.ToolResultBlockParam, 'content' | 'is_error'>;

/**
 * Blocks other than text come from tools that know the format. A result that is marked as failed may have texts only, so a
 * text says it where there is more.
 */
function resultOf({ content, is_error }: ToolResultBlock): Result {
  const failed = is_error === undefined ? {} : { is_error };
  if (typeof content === 'string') return { content, ...failed };
  const kept = content.filter((part) => !('text' in part) || part.text.trim() !== '');
  const shown = kept as NonNullable<Extract<Result['content'], readonly unknown[]>>;
  const isText = kept.every(({ type }) => type === 'text');
  return is_error !== true || isText
    ? { content: shown, ...failed }
    : { content: [{ type: 'text', text: 'Error:' }, ...shown] };
}
