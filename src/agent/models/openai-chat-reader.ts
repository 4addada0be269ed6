/**
 * Reads a stream of chat completion chunks: text in pieces, and concurrent tool calls in pieces, identified by index.
 */
import type OpenAI from 'openai';
import type { StreamReader } from './call.js';
import { expectText } from './expect-text.js';
import type { ModelEvent, ModelUsage, StopReason } from './port.js';
import { parseToolInput } from './tool-input.js';

type Chunk = OpenAI.ChatCompletionChunk;
type Delta = Chunk['choices'][number]['delta'];
type CallPiece = NonNullable<Delta['tool_calls']>[number];

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
};

interface OpenCall {
  id: string | undefined;
  name: string;
  json: string;
}

export function readChat(service: string): StreamReader<Chunk> {
  const open = new Map<number, OpenCall>();
  let usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  let finish: string | undefined;
  let calls = 0;
  let refused = false;

  const grow = (piece: CallPiece): void => {
    // Some compatible servers send whole calls without an index.
    const index = piece.index ?? (piece.id === undefined ? open.size - 1 : open.size);
    const call = open.get(index) ?? { id: undefined, name: '', json: '' };
    call.id ??= piece.id;
    call.name += piece.function?.name ?? '';
    call.json += piece.function?.arguments ?? '';
    open.set(index, call);
  };

  const finishCalls = (): readonly ModelEvent[] => {
    const whole = [...open].sort(([a], [b]) => a - b).map(([, call]) => call);
    open.clear();
    calls += whole.length;
    return whole.map(({ id, name, json }) => ({
      type: 'tool_use',
      id: expectText(service, 'id', id),
      name: expectText(service, 'name', name || undefined),
      input: parseToolInput(json),
    }));
  };

  const texts = (delta: Partial<Delta>): readonly ModelEvent[] => {
    if (delta.refusal) refused = true;
    return [delta.content, delta.refusal]
      .filter((text) => text !== undefined && text !== null && text !== '')
      .map((text) => ({ type: 'text', text: expectText(service, 'content', text) }));
  };

  return {
    take(chunk) {
      if (chunk.usage)
        usage = { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens };
      // The chunk with the usage has no choice; we never request more than one.
      const choice = chunk.choices[0];
      if (choice === undefined) return [];
      const textEvents = texts(choice.delta ?? {});
      for (const piece of choice.delta?.tool_calls ?? []) grow(piece);
      if (!choice.finish_reason) return textEvents;
      finish = choice.finish_reason;
      return [...textEvents, ...finishCalls()];
    },
    end() {
      if (finish === undefined) return undefined;
      const mapped = STOP_REASONS[finish] ?? 'end_turn';
      // A tool call takes precedence over the finish reason: some compatible servers send `stop` for both.
      const plain = calls > 0 ? 'tool_use' : refused ? 'refusal' : mapped;
      return { type: 'end', stopReason: mapped === 'end_turn' ? plain : mapped, usage };
    },
  };
}
