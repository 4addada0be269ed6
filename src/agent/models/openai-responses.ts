/**
 * Builds requests for the Responses API, in which the conversation is a list of items, including calls and results.
 */
import type OpenAI from 'openai';
import { argumentsText, resultText, sortContent } from './openai-content.js';
import { modelOf, type ServiceOptions } from './options.js';
import type { ModelMessage, ModelRequest } from './port.js';

type InputItem = OpenAI.Responses.ResponseInputItem;

export function responsesBody(
  request: ModelRequest,
  options: ServiceOptions,
): OpenAI.Responses.ResponseCreateParamsStreaming {
  const maxTokens = request.maxTokens ?? options.maxTokens;
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: { ...inputSchema },
    // Strict schemas must mark every property as required; tool schemas usually do not.
    strict: false,
  }));
  return {
    model: modelOf(options, request),
    ...(request.system === '' ? {} : { instructions: request.system }),
    input: request.messages.flatMap(toItems),
    ...(tools.length === 0 ? {} : { tools }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    // The caller keeps the conversation, so the service does not store it.
    store: false,
    ...options.extraBody,
    stream: true,
  };
}

function toItems(message: ModelMessage): readonly InputItem[] {
  const { texts, calls, results } = sortContent(message);
  const outputs = results.map(
    (result): InputItem => ({
      type: 'function_call_output',
      call_id: result.tool_use_id,
      output: resultText(result),
    }),
  );
  const made = calls.map(
    (call): InputItem => ({
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: argumentsText(call),
    }),
  );
  return [...outputs, ...textItems(message.role, texts), ...made];
}

function textItems(role: ModelMessage['role'], texts: readonly string[]): readonly InputItem[] {
  const [first, ...others] = texts;
  if (first === undefined) return [];
  if (role === 'assistant') return [{ role, content: texts.join('\n') }];
  const parts = texts.map((text) => ({ type: 'input_text' as const, text }));
  return [{ role, content: others.length === 0 ? first : parts }];
}
