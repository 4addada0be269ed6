/**
 * Reads a stream of chat completion chunks: text in pieces, and concurrent tool calls in pieces, identified by index.
 */
import type OpenAI from 'openai';
import type { StreamReader } from './call.js';
import { expectText } from './expect-text.js';
import { OPENAI_CHAT } from './openai-chat.js';
import type { ModelEvent, ModelUsage, StopReason } from './port.js';
import { parseToolInput } from './tool-input.js';
import { usageWithin } from './usage.js';

type Chunk = OpenAI.ChatCompletionChunk;
type Delta = Chunk['choices'][number]['delta'] & Reasoning;
/** The fields in which compatible servers send reasoning; OpenAI itself sends none here. */
interface Reasoning {
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_details?: unknown;
}
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

/** `model`: the one that was asked, to which alone its reasoning goes back. */
export function readChat(
  service: string,
  model: string,
  ownName: (name: string) => string = (name) => name,
): StreamReader<Chunk> {
  const open = new Map<number, OpenCall>();
  let usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  let finish: string | undefined;
  let calls = 0;
  let refused = false;
  let thought: { text: string; readonly field: string; details: unknown[] } | undefined;

  const think = ({
    reasoning_content,
    reasoning,
    reasoning_details,
  }: Partial<Delta>): readonly ModelEvent[] => {
    const [field, text] =
      typeof reasoning_content === 'string'
        ? (['reasoning_content', reasoning_content] as const)
        : (['reasoning', typeof reasoning === 'string' ? reasoning : ''] as const);
    const details = Array.isArray(reasoning_details) ? reasoning_details : [];
    if (text === '' && details.length === 0) return [];
    thought ??= { text: '', field, details: [] };
    thought.text += text;
    thought.details.push(...details);
    return text === '' ? [] : [{ type: 'thinking_delta', thinking: text }];
  };

  /** Reasoning ends where text or calls begin. */
  const finishThought = (): readonly ModelEvent[] => {
    if (thought === undefined) return [];
    const { text, field, details } = thought;
    thought = undefined;
    const data = { [field]: text, ...(details.length > 0 && { reasoning_details: details }) };
    return [{ type: 'thinking', thinking: text, data, provider: OPENAI_CHAT, model }];
  };

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
      name: ownName(expectText(service, 'name', name || undefined)),
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
      if (chunk.usage) usage = usageOf(chunk.usage);
      // The chunk with the usage has no choice; we never request more than one.
      const choice = chunk.choices[0];
      if (choice === undefined) return [];
      const delta: Partial<Delta> = choice.delta ?? {};
      const thinking = think(delta);
      const said = texts(delta);
      const pieces = delta.tool_calls ?? [];
      for (const piece of pieces) grow(piece);
      const isOver = Boolean(choice.finish_reason);
      const thoughts = said.length > 0 || pieces.length > 0 || isOver ? finishThought() : [];
      const events = [...thinking, ...thoughts, ...said];
      if (!choice.finish_reason) return events;
      finish = choice.finish_reason;
      return [...events, ...finishCalls()];
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

function usageOf({ prompt_tokens, completion_tokens, prompt_tokens_details }: NonNullable<Chunk['usage']>) {
  const { cached_tokens, cache_write_tokens } = prompt_tokens_details ?? {};
  return usageWithin(prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens);
}
