/** The fallback model of a team if none is configured: it demonstrates answers and votes and says what it is. */
import type { Model, ModelRequest } from '../../agent/models/port.js';
import { embeddedModel, HOW_TO_GET_A_MODEL, type Step } from '../embedded-model.js';

const NOTE = `The embedded model only demonstrates a team. ${HOW_TO_GET_A_MODEL}`;

/** Writes a file and hands in one answer; in later rounds it votes for the first answer in the list. */
export function embeddedTeamModel(): Model {
  return embeddedModel(nextStep);
}

function nextStep({ messages, tools }: ModelRequest): Step {
  if (!tools.some(({ name }) => name === 'vote')) return { text: NOTE };
  const [first] = messages;
  const prompt = first?.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n') ?? '';
  const [, choice] = /The answers so far: (agent\d+)/.exec(prompt) ?? [];
  if (choice !== undefined)
    return {
      text: 'I vote.',
      calls: [{ name: 'vote', input: { agent_id: choice, reason: 'It is the first.' } }],
    };
  const hasWritten = messages.some(({ content }) => content.some(({ type }) => type === 'tool_result'));
  if (!hasWritten)
    return {
      text: 'I write a file.',
      calls: [{ name: 'Write', input: { file_path: 'answer.md', content: `${NOTE}\n` } }],
    };
  return {
    text: 'I hand in my answer.',
    calls: [{ name: 'new_answer', input: { content: `${NOTE} See answer.md.` } }],
  };
}
