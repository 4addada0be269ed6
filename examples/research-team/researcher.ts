/** A model for the example: it hands in its answer, votes for the one that was measured twice, and presents the winner's. */
import type { Model, ModelRequest } from 'hookline/agent';
import { parseFrames } from 'hookline/injection';

const BEST = 'measured twice';

/** Everything that the model was told, as texts. */
const textsIn = ({ messages }: ModelRequest): string[] =>
  messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type === 'text') return [block.text];
      return block.type === 'tool_result' ? [String(block.content)] : [];
    }),
  );

/** What the reader calls the author of the best answer. */
function findBest(texts: readonly string[]): string | undefined {
  const frames = texts.flatMap((text) => parseFrames(text));
  const peer = frames.find(({ source, content }) => source.kind === 'peer' && content.includes(BEST));
  if (peer !== undefined) return peer.source.label;
  return new RegExp(`Your own answer, (agent\\d+)\\.\\d+:\\n.*${BEST}`).exec(texts.join('\n'))?.[1];
}

/** Without an answer it thinks for ever. */
export function researcher(answer: string | undefined): Model {
  let calls = 0;
  return {
    name: 'researcher',
    async *stream(request) {
      if (answer === undefined) return await new Promise<never>(() => {});
      const usage = { inputTokens: 1, outputTokens: 1 };
      const tools = (request.tools ?? []).map(({ name }) => name);
      const texts = textsIn(request);
      const best = findBest(texts);
      const hasAnswered = texts.some((text) => text.includes('Your own answer'));
      calls += 1;
      const id = `call-${calls}`;
      if (best !== undefined && tools.includes('vote')) {
        yield { type: 'tool_use', id, name: 'vote', input: { agent_id: best, reason: BEST } };
      } else if (tools.includes('new_answer') && !hasAnswered) {
        yield { type: 'tool_use', id, name: 'new_answer', input: { content: answer } };
      } else {
        yield { type: 'text', text: answer };
        yield { type: 'end', stopReason: 'end_turn', usage };
        return;
      }
      yield { type: 'end', stopReason: 'tool_use', usage };
    },
  };
}
