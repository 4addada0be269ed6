/** Reads a stream of the Responses API: text in pieces, tool calls when their item is complete. */
import type OpenAI from 'openai';
import type { StreamReader } from './call.js';
import { expectText } from './expect-text.js';
import { OPENAI_RESPONSES } from './openai-responses.js';
import type { ModelEvent, StopReason } from './port.js';
import { serviceError } from './service-error.js';
import { parseToolInput } from './tool-input.js';
import { usageWithin } from './usage.js';

type Event = OpenAI.Responses.ResponseStreamEvent;
type Response = OpenAI.Responses.Response;

/** `model`: the one that was asked, to which alone its reasoning goes back. */
export function readResponses(
  service: string,
  model: string,
  ownName: (name: string) => string = (name) => name,
): StreamReader<Event> {
  const origin = { provider: OPENAI_RESPONSES, model };
  const phases = new Map<string, string>();
  let calls = 0;
  let refused = false;
  let response: Response | undefined;

  const textEvents = (text: unknown, item?: string): readonly ModelEvent[] => {
    const phase = phases.get(item ?? '');
    return [
      { type: 'text', text: expectText(service, 'delta', text), ...(phase !== undefined && { phase }) },
    ];
  };

  const thinkingEvents = (thinking: unknown): readonly ModelEvent[] => [
    { type: 'thinking_delta', thinking: expectText(service, 'delta', thinking) },
  ];

  const finishReasoning = (item: OpenAI.Responses.ResponseReasoningItem): readonly ModelEvent[] => {
    const { summary = [], content, encrypted_content } = item;
    const thinking = [...summary, ...(content ?? [])].map(({ text }) => text).join('\n\n');
    const kept = {
      ...(content ? { content } : {}),
      ...(encrypted_content ? { encrypted_content } : {}),
    };
    // What the service does not store and does not give away cannot be sent back.
    if (Object.keys(kept).length === 0) return [];
    return [{ type: 'thinking', thinking, data: { summary, ...kept }, ...origin }];
  };

  const finishItem = (item: OpenAI.Responses.ResponseOutputItem): readonly ModelEvent[] => {
    if (item.type === 'message') return [];
    if (item.type === 'reasoning') return finishReasoning(item);
    if (item.type !== 'function_call') return [{ type: 'service_block', block: { ...item }, ...origin }];
    calls += 1;
    return [
      {
        type: 'tool_use',
        id: expectText(service, 'call_id', item.call_id),
        name: ownName(expectText(service, 'name', item.name)),
        input: parseToolInput(expectText(service, 'arguments', item.arguments)),
      },
    ];
  };

  const reasonOf = (whole: Response): StopReason => {
    if (whole.incomplete_details?.reason === 'content_filter') return 'refusal';
    if (whole.status === 'incomplete') return 'max_tokens';
    if (calls > 0) return 'tool_use';
    return refused ? 'refusal' : 'end_turn';
  };

  return {
    take(event) {
      switch (event.type) {
        case 'response.output_item.added':
          if (event.item.type === 'message' && event.item.phase) phases.set(event.item.id, event.item.phase);
          return [];
        case 'response.output_text.delta':
          return textEvents(event.delta, event.item_id);
        case 'response.reasoning_summary_part.added':
          return event.summary_index > 0 ? thinkingEvents('\n\n') : [];
        case 'response.reasoning_summary_text.delta':
        case 'response.reasoning_text.delta':
          return thinkingEvents(event.delta);
        case 'response.refusal.delta':
          refused = true;
          return textEvents(event.delta);
        case 'response.output_item.done':
          return finishItem(event.item);
        case 'response.completed':
        case 'response.incomplete':
          response = event.response;
          return [];
        case 'response.failed':
          throw serviceError(service, named(event.response.error), 'reading');
        case 'error':
          throw serviceError(service, named(event), 'reading');
        default:
          // Other events repeat these, or belong to tools that are not used here.
          return [];
      }
    },
    end() {
      if (response === undefined) return undefined;
      return {
        type: 'end',
        stopReason: reasonOf(response),
        usage: usageWithin(
          response.usage?.input_tokens ?? 0,
          response.usage?.output_tokens ?? 0,
          response.usage?.input_tokens_details?.cached_tokens,
          response.usage?.input_tokens_details?.cache_write_tokens,
        ),
      };
    },
  };
}

/** Converts an error in the stream to the form in which the SDK throws errors. */
function named(error: { readonly code?: string | null; readonly message?: string } | null): Error {
  return Object.assign(new Error(error?.message ?? 'the service gave no reason'), {
    code: error?.code ?? 'unknown_error',
  });
}
