/** Builds requests for chat completions. */
import type OpenAI from 'openai';
import { type Accepted, accepted } from './call-names.js';
import { withoutForeign } from './opaque.js';
import {
  argumentsText,
  fileName,
  OPENAI_NAMES,
  resultParts,
  type Shown,
  shownIn,
  urlOf,
} from './openai-content.js';
import { modelOf, type ServiceOptions } from './options.js';
import type { ContentBlock, ModelMessage, ModelRequest, ThinkingBlock } from './port.js';

type ChatMessage = OpenAI.ChatCompletionMessageParam;
type Part = OpenAI.ChatCompletionContentPart;

/** Compatible servers want their own ids back, whatever they look like. */
const IDS: Accepted = { length: 40, isPlain: false };

/** The name of the service in opaque blocks. */
export const OPENAI_CHAT = 'openai-chat';

export function chatBody(
  request: ModelRequest,
  options: ServiceOptions,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const model = modelOf(options, request);
  const system: readonly ChatMessage[] =
    request.system === '' ? [] : [{ role: 'system', content: request.system }];
  const maxTokens = request.maxTokens ?? options.maxTokens;
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    function: { name: accepted(name, OPENAI_NAMES), description, parameters: { ...inputSchema } },
  }));
  return {
    model,
    messages: [
      ...system,
      ...request.messages.flatMap((message) =>
        message.role === 'assistant' ? fromAssistant(message, model) : fromUser(message),
      ),
    ],
    ...(tools.length === 0 ? {} : { tools }),
    ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    ...(options.effort === undefined ? {} : { reasoning_effort: options.effort }),
    stream_options: { include_usage: true },
    ...options.extraBody,
    stream: true,
  };
}

function fromAssistant({ content }: ModelMessage, model: string): readonly ChatMessage[] {
  const texts = content.flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []));
  const calls = content.filter((block) => block.type === 'tool_use');
  if (texts.length === 0 && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : texts.join('\n'),
      ...(calls.length === 0
        ? {}
        : {
            ...reasoningFields(withoutForeign(content, OPENAI_CHAT, model)),
            tool_calls: calls.map((call) => ({
              id: accepted(call.id, IDS),
              type: 'function' as const,
              function: { name: accepted(call.name, OPENAI_NAMES), arguments: argumentsText(call) },
            })),
          }),
    },
  ];
}

/**
 * Compatible servers want the reasoning that led to tool calls back, in the fields in which they sent it; with other
 * answers some reject it.
 */
function reasoningFields(content: readonly ContentBlock[]): object {
  const thoughts = content.filter((block): block is ThinkingBlock => block.type === 'thinking');
  return Object.assign({}, ...thoughts.map(({ data }) => data));
}

/** A single text is sent as a string, which every compatible server accepts; anything else is sent as parts. */
function fromUser({ content }: ModelMessage): readonly ChatMessage[] {
  const moved: Part[] = [];
  const results = content.filter((block) => block.type === 'tool_result');
  const answers = results.map((result) => ({
    role: 'tool' as const,
    tool_call_id: accepted(result.tool_use_id, IDS),
    content: toolText(result.tool_use_id, resultParts(result), moved),
  }));
  const parts = [...moved, ...shownIn(content).map(toPart)];
  const [first, ...others] = parts;
  if (first === undefined) return answers;
  const whole = first.type === 'text' && others.length === 0 ? first.text : parts;
  return [...answers, { role: 'user', content: whole }];
}

/** A tool message can hold only text: what else a result has comes first in the user message after all results. */
function toolText(id: string, parts: readonly Shown[], moved: Part[]): string {
  const texts = parts.map((part) => {
    if (part.type === 'text') return part.text;
    const what = `${part.type === 'image' ? 'Image' : 'File'} ${moved.length / 2 + 1}`;
    moved.push({ type: 'text', text: `[${what}, from the result of the call ${id}]` }, toPart(part));
    return `[${what}: see the message after the results]`;
  });
  return texts.join('\n');
}

function toPart(block: Shown): Part {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image') return { type: 'image_url', image_url: { url: urlOf(block) } };
  // The format has no addresses of files.
  if (block.source.type === 'url') return { type: 'text', text: `[a file: ${block.source.url}]` };
  return { type: 'file', file: { filename: fileName(block), file_data: urlOf(block) } };
}
