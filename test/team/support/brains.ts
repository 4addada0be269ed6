/** Models that decide by what they read: the same thing in the same situation, however often a round restarts. */
import type { Model, ModelEvent, ModelRequest } from '../../../src/agent/models/port.js';

export interface Turn {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
}

export interface BrainModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/** `think` gets the request and how many it has had. */
export function brainModel(think: (request: ModelRequest, turn: number) => Turn | Promise<Turn>): BrainModel {
  const requests: ModelRequest[] = [];
  let calls = 0;
  return {
    name: 'brain',
    requests,
    async *stream(request): AsyncGenerator<ModelEvent, void> {
      const { signal, ...rest } = request;
      requests.push({ ...structuredClone(rest), signal });
      const { text, calls: tools = [] } = await think(request, requests.length);
      signal.throwIfAborted();
      if (text !== undefined) yield { type: 'text', text };
      for (const { name, input } of tools) {
        calls += 1;
        yield { type: 'tool_use', id: `toolu_brain_${calls}`, name, input };
      }
      yield {
        type: 'end',
        stopReason: tools.length > 0 ? 'tool_use' : 'end_turn',
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
}

/** Everything that a request says to the model, as one text. */
export const saidIn = ({ messages }: ModelRequest): string => JSON.stringify(messages);

export const call = (name: string, input: object): Turn => ({ calls: [{ name, input }] });

/** The tools that a request offers. */
export const toolsIn = ({ tools }: ModelRequest): readonly string[] => (tools ?? []).map(({ name }) => name);

/**
 * The names of the peers whose answers say something, as the reader knows them: framed items name their sender.
 */
export function authorOf(request: ModelRequest, content: string): string | undefined {
  const text = request.messages
    .flatMap(({ content: blocks }) => blocks)
    .map((block) => (block.type === 'text' ? block.text : JSON.stringify(block)))
    .join('\n')
    .replaceAll('\\n', '\n')
    .replaceAll('\\"', '"');
  const frames = text.split('┌──').slice(1);
  const frame = frames.find((each) => each.includes(content) && /from peer "agent\d+"/.test(each));
  if (frame !== undefined) return /from peer "(agent\d+)"/.exec(frame)?.[1];
  return new RegExp(`Your own answer, (agent\\d+)\\.\\d+:\\n[\\s\\S]*${content}`).exec(text)?.[1];
}

/** Hands in an answer in the first round, then votes for the answer that contains `best`. */
export function thinkAnswerThenVote(answer: string, best: string): (request: ModelRequest) => Turn {
  return (request) => {
    if (!toolsIn(request).includes('vote')) return { text: `Final: ${answer}` };
    const author = authorOf(request, best);
    if (author !== undefined) return call('vote', { agent_id: author, reason: `It says ${best}.` });
    if (!saidIn(request).includes('Your own answer')) return call('new_answer', { content: answer });
    return { text: 'I wait.' };
  };
}

export const answersThenVotes = (answer: string, best: string): BrainModel =>
  brainModel(thinkAnswerThenVote(answer, best));
