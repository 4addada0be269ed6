/** The fallback model of a team if none is configured: it demonstrates answers and votes and says what it is. */
import { randomUUID } from 'node:crypto';
import type { Model, ModelEvent, ModelRequest } from '../../agent/models/port.js';

const NOTE =
  'The embedded model only demonstrates a team. Set ANTHROPIC_API_KEY or OPENAI_API_KEY to use a real one.';

interface Step {
  readonly text: string;
  readonly call?: { readonly name: string; readonly input: object };
}

/** Writes a file and hands in one answer; in later rounds it votes for the first answer in the list. */
export function embeddedTeamModel(): Model {
  return {
    name: 'embedded',
    async *stream(request): AsyncGenerator<ModelEvent, void> {
      request.signal.throwIfAborted();
      const { text, call } = nextStep(request);
      yield { type: 'text', text };
      if (call !== undefined) yield { type: 'tool_use', id: `toolu_${randomUUID()}`, ...call };
      yield {
        type: 'end',
        stopReason: call === undefined ? 'end_turn' : 'tool_use',
        usage: { inputTokens: 0, outputTokens: 0 },
      };
    },
  };
}

function nextStep({ messages, tools, purpose }: ModelRequest): Step {
  if (purpose !== 'turn') return { text: purpose === 'hook' ? '{"ok": true}' : `<summary>${NOTE}</summary>` };
  if (!tools.some(({ name }) => name === 'vote')) return { text: NOTE };
  const [first] = messages;
  const prompt = first?.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n') ?? '';
  const [, choice] = /The answers so far: (agent\d+)/.exec(prompt) ?? [];
  if (choice !== undefined)
    return {
      text: 'I vote.',
      call: { name: 'vote', input: { agent_id: choice, reason: 'It is the first.' } },
    };
  const hasWritten = messages.some(({ content }) => content.some(({ type }) => type === 'tool_result'));
  if (!hasWritten)
    return {
      text: 'I write a file.',
      call: { name: 'Write', input: { file_path: 'answer.md', content: `${NOTE}\n` } },
    };
  return {
    text: 'I hand in my answer.',
    call: { name: 'new_answer', input: { content: `${NOTE} See answer.md.` } },
  };
}
