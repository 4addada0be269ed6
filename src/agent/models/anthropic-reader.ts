/** Reads the stream of the Messages API, in which blocks start, grow and stop one after another. */
import type Anthropic from '@anthropic-ai/sdk';
import { ANTHROPIC } from './anthropic-body.js';
import type { StreamReader } from './call.js';
import { expectText } from './expect-text.js';
import type { ModelEvent, ModelUsage, StopReason } from './port.js';
import { brokenStream } from './service-error.js';
import { parseToolInput } from './tool-input.js';
import { cached } from './usage.js';

/** The API's stop reasons are the port's. */
const STOP_REASONS: ReadonlySet<string | null> = new Set<StopReason>([
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'refusal',
  'pause_turn',
  'model_context_window_exceeded',
]);

type UsageFields = {
  [K in 'input_tokens' | 'cache_creation_input_tokens' | 'cache_read_input_tokens' | 'output_tokens']?:
    | number
    | null;
} & { readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number | null } | null };

/** A block that has started: as it came first, and what has been added since. */
interface OpenBlock {
  readonly block: Anthropic.ContentBlock;
  /** Input of a tool, or thinking. */
  text: string;
  signature: string;
}

/** `model`: the one that was asked, to which alone its thinking goes back. */
export function readAnthropic(
  service: string,
  model: string,
  ownName: (name: string) => string = (name) => name,
): StreamReader<Anthropic.RawMessageStreamEvent> {
  const origin = { provider: ANTHROPIC, model };
  const open = new Map<number, OpenBlock>();
  let writtenForAnHour = 0;
  const usage: Record<Exclude<keyof UsageFields, 'cache_creation'>, number> = {
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
    for (const key of Object.keys(usage) as (keyof typeof usage)[]) usage[key] = fields?.[key] ?? usage[key];
    writtenForAnHour = fields?.cache_creation?.ephemeral_1h_input_tokens ?? writtenForAnHour;
  };

  const counted = (): ModelUsage => ({
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    ...cached(usage.cache_read_input_tokens, usage.cache_creation_input_tokens, writtenForAnHour),
  });

  const finish = (index: number): readonly ModelEvent[] => {
    const ended = open.get(index);
    if (ended === undefined) return [];
    open.delete(index);
    const { block, text, signature } = ended;
    switch (block.type) {
      case 'text':
        return [];
      case 'tool_use':
        usedTool = true;
        return [
          {
            type: 'tool_use',
            id: expectText(service, 'id', block.id),
            name: ownName(expectText(service, 'name', block.name)),
            input: parseToolInput(text),
          },
        ];
      case 'thinking':
        return [{ type: 'thinking', thinking: text, signature, ...origin }];
      case 'redacted_thinking':
        return [{ type: 'redacted_thinking', data: expectText(service, 'data', block.data), ...origin }];
      default: {
        const whole = text === '' ? block : { ...block, input: parseToolInput(text) };
        return [{ type: 'service_block', block: { ...whole }, ...origin }];
      }
    }
  };

  const grow = (index: number, delta: Anthropic.RawContentBlockDelta): readonly ModelEvent[] => {
    if (delta.type === 'text_delta') return textOf(expectText(service, 'text', delta.text));
    const growing = open.get(index);
    if (growing === undefined || growing.block.type === 'text') {
      if (delta.type !== 'input_json_delta') return [];
      throw brokenStream(service, `input came for block ${index}, which is not a tool use`);
    }
    if (delta.type === 'input_json_delta')
      growing.text += expectText(service, 'partial_json', delta.partial_json);
    if (delta.type === 'signature_delta')
      growing.signature += expectText(service, 'signature', delta.signature);
    if (delta.type !== 'thinking_delta') return [];
    const thinking = expectText(service, 'thinking', delta.thinking);
    growing.text += thinking;
    return thinking === '' ? [] : [{ type: 'thinking_delta', thinking }];
  };

  return {
    take(event) {
      switch (event.type) {
        case 'message_start':
          count(event.message.usage);
          return [{ type: 'usage', usage: counted() }];
        case 'content_block_start': {
          const block = event.content_block;
          const begun = block.type === 'thinking' ? block : { thinking: '', signature: '' };
          open.set(event.index, { block, text: begun.thinking, signature: begun.signature ?? '' });
          return block.type === 'text' ? textOf(block.text) : [];
        }
        case 'content_block_delta':
          return grow(event.index, event.delta);
        case 'content_block_stop':
          return finish(event.index);
        case 'message_delta':
          count(event.usage);
          stopReason = event.delta.stop_reason;
          return [];
        case 'message_stop':
          if (open.size > 0) throw brokenStream(service, 'a block was not finished');
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
        stopReason: STOP_REASONS.has(stopReason)
          ? (stopReason as StopReason)
          : usedTool
            ? 'tool_use'
            : 'end_turn',
        usage: counted(),
      };
    },
  };
}

const textOf = (text: string): readonly ModelEvent[] => (text === '' ? [] : [{ type: 'text', text }]);
