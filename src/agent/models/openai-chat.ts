/** Builds requests for chat completions. */
import type OpenAI from 'openai';
import { argumentsText, resultText, sortContent } from './openai-content.js';
import { modelOf, type ServiceOptions } from './options.js';
import type { ModelMessage, ModelRequest } from './port.js';

type ChatMessage = OpenAI.ChatCompletionMessageParam;

export function chatBody(
  request: ModelRequest,
  options: ServiceOptions,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const system: readonly ChatMessage[] =
    request.system === '' ? [] : [{ role: 'system', content: request.system }];
  const maxTokens = request.maxTokens ?? options.maxTokens;
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...inputSchema } },
  }));
  return {
    model: modelOf(options, request),
    messages: [...system, ...request.messages.flatMap(toChatMessages)],
    ...(tools.length === 0 ? {} : { tools }),
    ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    stream_options: { include_usage: true },
    ...options.extraBody,
    stream: true,
  };
}

function toChatMessages(message: ModelMessage): readonly ChatMessage[] {
  return message.role === 'assistant' ? fromAssistant(message) : fromUser(message);
}

function fromAssistant(message: ModelMessage): readonly ChatMessage[] {
  const { texts, calls } = sortContent(message);
  if (texts.length === 0 && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: texts.length === 0 ? null : texts.join('\n'),
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map((call) => ({
              id: call.id,
              type: 'function' as const,
              function: { name: call.name, arguments: argumentsText(call) },
            })),
          }),
    },
  ];
}

/** A single text is sent as a string, which every compatible server accepts; several are sent as parts. */
function fromUser(message: ModelMessage): readonly ChatMessage[] {
  const { texts, results } = sortContent(message);
  const [first, ...others] = texts;
  const userMessages: readonly ChatMessage[] =
    first === undefined
      ? []
      : [
          {
            role: 'user',
            content: others.length === 0 ? first : texts.map((text) => ({ type: 'text' as const, text })),
          },
        ];
  return [
    ...results.map((result) => ({
      role: 'tool' as const,
      tool_call_id: result.tool_use_id,
      content: resultText(result),
    })),
    ...userMessages,
  ];
}
