/** Reads a stream of the Responses API: text in pieces, tool calls when their item is complete. */
import type OpenAI from 'openai';
import type { StreamReader } from './call.js';
import { expectText } from './expect-text.js';
import type { ModelEvent, StopReason } from './port.js';
import { serviceError } from './service-error.js';
import { parseToolInput } from './tool-input.js';

type Event = OpenAI.Responses.ResponseStreamEvent;
type Response = OpenAI.Responses.Response;

export function readResponses(service: string): StreamReader<Event> {
  let calls = 0;
  let refused = false;
  let response: Response | undefined;

  const textEvents = (text: unknown): readonly ModelEvent[] => [
    { type: 'text', text: expectText(service, 'delta', text) },
  ];

  const finishItem = (item: OpenAI.Responses.ResponseOutputItem): readonly ModelEvent[] => {
    if (item.type !== 'function_call') return [];
    calls += 1;
    return [
      {
        type: 'tool_use',
        id: expectText(service, 'call_id', item.call_id),
        name: expectText(service, 'name', item.name),
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
        case 'response.output_text.delta':
          return textEvents(event.delta);
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
        usage: {
          inputTokens: response.usage?.input_tokens ?? 0,
          outputTokens: response.usage?.output_tokens ?? 0,
        },
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
