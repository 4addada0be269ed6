/** Reads the stream of the Messages API, in which blocks start, grow and stop one after another. */
import type Anthropic from '@anthropic-ai/sdk';
import type { StreamReader } from './call.js';
import { expectText } from './expect-text.js';
import type { ModelEvent, StopReason } from './port.js';
import { brokenStream } from './service-error.js';
import { parseToolInput } from './tool-input.js';

/**
 * Maps the API's stop reasons to the port's. `pause_turn` counts as an end, because no server-side tools are used.
 */
const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  refusal: 'refusal',
  pause_turn: 'end_turn',
  model_context_window_exceeded: 'max_tokens',
};

type UsageFields = {
  [K in 'input_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens' | 'output_tokens']?:
    | number
    | null;
};

interface OpenTool {
  readonly id: string;
  readonly name: string;
  json: string;
}

export function readAnthropic(service: string): StreamReader<Anthropic.RawMessageStreamEvent> {
  const open = new Map<number, OpenTool>();
  const usage: Record<keyof UsageFields, number> = {
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 0,
  };
  let usedTool = false;
  let stopReason: string | null = null;
  let isWhole = false;

  /** Counts are totals, so later ones replace earlier ones; an absent field has not changed. */
  const count = (fields: UsageFields | undefined): void => {
    for (const key of Object.keys(usage) as (keyof UsageFields)[]) usage[key] = fields?.[key] ?? usage[key];
  };

  const finishTool = (index: number): readonly ModelEvent[] => {
    const tool = open.get(index);
    if (tool === undefined) return [];
    open.delete(index);
    usedTool = true;
    return [{ type: 'tool_use', id: tool.id, name: tool.name, input: parseToolInput(tool.json) }];
  };

  const grow = (index: number, delta: Anthropic.RawContentBlockDelta): readonly ModelEvent[] => {
    if (delta.type === 'text_delta') return textOf(expectText(service, 'text', delta.text));
    const tool = open.get(index);
    if (delta.type === 'input_json_delta') {
      if (tool === undefined)
        throw brokenStream(service, `input came for block ${index}, which is not a tool use`);
      tool.json += expectText(service, 'partial_json', delta.partial_json);
    }
    return [];
  };

  return {
    take(event) {
      switch (event.type) {
        case 'message_start':
          count(event.message.usage);
          return [];
        case 'content_block_start': {
          const block = event.content_block;
          if (block.type === 'text') return textOf(block.text);
          if (block.type === 'tool_use')
            open.set(event.index, {
              id: expectText(service, 'id', block.id),
              name: expectText(service, 'name', block.name),
              json: '',
            });
          return [];
        }
        case 'content_block_delta':
          return grow(event.index, event.delta);
        case 'content_block_stop':
          return finishTool(event.index);
        case 'message_delta':
          count(event.usage);
          stopReason = event.delta.stop_reason;
          return [];
        case 'message_stop':
          if (open.size > 0) throw brokenStream(service, 'a tool use was not finished');
          isWhole = true;
          return [];
        default:
          // The API adds event types over time and asks clients to ignore unknown ones.
          return [];
      }
    },
    end() {
      if (!isWhole) return undefined;
      return {
        type: 'end',
        stopReason: STOP_REASONS[stopReason ?? ''] ?? (usedTool ? 'tool_use' : 'end_turn'),
        usage: {
          // The API counts cached tokens separately, but the model reads them like all others.
          inputTokens: usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
          outputTokens: usage.output_tokens,
        },
      };
    },
  };
}

const textOf = (text: string): readonly ModelEvent[] => (text === '' ? [] : [{ type: 'text', text }]);
