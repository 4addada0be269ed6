/** The tools that end a round: `new_answer` and `vote`. */
import { z } from 'zod';
import { defineTool, type Tool, type ToolOutcome } from '../agent/tools/tool.js';
import { messageOf } from '../base/errors.js';

/** What the tools do; a text is an error that tells the model what to change. */
export interface RoundEnds {
  /** The viewer's names of the answers that can be voted for. */
  readonly choices: readonly string[];
  /** Undefined: this agent can only vote. */
  readonly answer: ((content: string, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  vote(name: string, reason: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Copying the files of an answer can take a while. */
const TIMEOUT_SECONDS = 300;

export function roundTools({ choices, answer, vote }: RoundEnds): readonly Tool[] {
  const [first, ...others] = choices;
  const description = 'The agent whose answer you vote for, such as agent2.';
  // New answers can arrive during the round, unless the agent can only vote: then the list is complete.
  const choice =
    answer === undefined && first !== undefined
      ? z.enum([first, ...others]).describe(description)
      : z.string().min(1).describe(description);
  const voteTool = defineTool({
    name: 'vote',
    description: 'Votes for the best answer and ends your round.',
    input: z.strictObject({
      agent_id: choice,
      reason: z.string().default('').describe('Why it is the best answer, in a sentence.'),
    }),
    harmless: true,
    timeout: TIMEOUT_SECONDS,
    run: ({ agent_id: name, reason }, { signal }) =>
      outcomeOf('Your vote is counted.', () => vote(name, reason, signal)),
  });
  if (answer === undefined) return [voteTool];
  const answerTool = defineTool({
    name: 'new_answer',
    description:
      'Hands in your answer, with a copy of your working directory, and ends your round. Replaces your earlier answer.',
    input: z.strictObject({
      content: z.string().trim().min(1).describe('The whole answer. It replaces your earlier one.'),
    }),
    harmless: true,
    timeout: TIMEOUT_SECONDS,
    run: ({ content }, { signal }) => outcomeOf('Your answer is handed in.', () => answer(content, signal)),
  });
  return [answerTool, voteTool];
}

async function outcomeOf(done: string, work: () => Promise<string | undefined>): Promise<ToolOutcome> {
  try {
    const problem = await work();
    return problem === undefined
      ? { ok: true, content: done, response: { done } }
      : { ok: false, error: problem };
  } catch (error) {
    return { ok: false, error: `It could not be done: ${messageOf(error)}` };
  }
}
