/**
 * Builds requests for the Responses API, in which the conversation is a list of items, including calls and results.
 */
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
  textOf,
  urlOf,
} from './openai-content.js';
import { modelOf } from './options.js';
import type { ContentBlock, ModelMessage, ModelRequest } from './port.js';
import type { ResponsesBodyOptions } from './service-options.js';

type InputItem = OpenAI.Responses.ResponseInputItem;

const IDS: Accepted = { length: 64, isPlain: true };

/** The name of the service in opaque blocks. */
export const OPENAI_RESPONSES = 'openai-responses';

/** These models do not reason, and reject a request for encrypted reasoning. */
const WITHOUT_REASONING = /^(gpt-3|gpt-4|chatgpt)/;

export function responsesBody(
  request: ModelRequest,
  options: ResponsesBodyOptions,
): OpenAI.Responses.ResponseCreateParamsStreaming {
  const model = modelOf(options, request);
  const maxTokens = request.maxTokens ?? options.maxTokens;
  // Tools that the service runs itself are added to the tools of the request.
  const { tools: more, ...extraBody } = options.extraBody ?? {};
  const own = request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    name: accepted(name, OPENAI_NAMES),
    description,
    parameters: { ...inputSchema },
    // Strict schemas must mark every property as required; tool schemas usually do not.
    strict: false,
  }));
  const tools = [...own, ...((Array.isArray(more) ? more : []) as typeof own)];
  const reasoning = {
    ...(options.effort === undefined ? {} : { effort: options.effort }),
    ...(options.reasoningSummary === undefined ? {} : { summary: options.reasoningSummary }),
  };
  return {
    model,
    ...(request.system === '' ? {} : { instructions: request.system }),
    input: request.messages.flatMap((message) =>
      message.role === 'assistant' ? fromAssistant(message, model) : fromUser(message),
    ),
    ...(tools.length === 0 ? {} : { tools }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    // The caller keeps the conversation, so the service does not store it, and gives its reasoning away encrypted.
    store: false,
    ...(WITHOUT_REASONING.test(model) ? {} : { include: ['reasoning.encrypted_content'] }),
    ...extraBody,
    stream: true,
  };
}

function fromUser({ content }: ModelMessage): readonly InputItem[] {
  const outputs = content.flatMap((block): readonly InputItem[] =>
    block.type === 'tool_result'
      ? [
          {
            type: 'function_call_output',
            call_id: accepted(block.tool_use_id, IDS),
            output: outputOf(resultParts(block)),
          },
        ]
      : [],
  );
  const parts = shownIn(content);
  const [first, ...others] = parts;
  if (first === undefined) return outputs;
  const whole = first.type === 'text' && others.length === 0 ? first.text : parts.map(toPart);
  return [...outputs, { role: 'user', content: whole }];
}

const outputOf = (parts: readonly Shown[]): string | ReturnType<typeof toPart>[] =>
  parts.every(({ type }) => type === 'text') ? textOf(parts) : parts.map(toPart);

function toPart(block: Shown) {
  if (block.type === 'text') return { type: 'input_text' as const, text: block.text };
  if (block.type === 'image')
    return { type: 'input_image' as const, detail: 'auto' as const, image_url: urlOf(block) };
  return block.source.type === 'url'
    ? { type: 'input_file' as const, file_url: urlOf(block) }
    : { type: 'input_file' as const, filename: fileName(block), file_data: urlOf(block) };
}

/** Items keep their order: the service checks that reasoning is followed by what it led to. */
function fromAssistant({ content }: ModelMessage, model: string): readonly InputItem[] {
  const items: InputItem[] = [];
  let said: { readonly texts: string[]; readonly phase: string | undefined } | undefined;
  const endText = (): void => {
    if (said !== undefined) items.push(spoken(said.texts, said.phase));
    said = undefined;
  };
  for (const block of withoutForeign(content, OPENAI_RESPONSES, model)) {
    if (block.type === 'text') {
      if (block.text === '') continue;
      if (said?.phase !== block.phase) endText();
      said ??= { texts: [], phase: block.phase };
      said.texts.push(block.text);
      continue;
    }
    endText();
    const item = toItem(block);
    if (item !== undefined) items.push(item);
  }
  endText();
  return items;
}

function spoken(texts: readonly string[], phase: string | undefined): InputItem {
  const named = phase === undefined ? {} : { phase: phase as 'commentary' | 'final_answer' };
  return { role: 'assistant', content: texts.join('\n'), ...named };
}

function toItem(block: ContentBlock): InputItem | undefined {
  switch (block.type) {
    case 'tool_use':
      return {
        type: 'function_call',
        call_id: accepted(block.id, IDS),
        name: accepted(block.name, OPENAI_NAMES),
        arguments: argumentsText(block),
      };
    // Without an id: nothing is stored under it.
    case 'thinking':
      return { type: 'reasoning', ...(block.data as object) } as InputItem;
    case 'service_block':
      return block.block as unknown as InputItem;
    default:
      return undefined;
  }
}
