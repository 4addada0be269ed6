/** A model inside the command, for people without a key: each answer is one text, and calls of tools. */
import { randomUUID } from 'node:crypto';
import { type Model, ModelError, type ModelEvent, type ModelRequest } from '../agent/models/port.js';

export interface Call {
  readonly name: string;
  readonly input: object;
}

export interface Step {
  readonly text: string;
  readonly calls?: readonly Call[];
}

export const HOW_TO_GET_A_MODEL = 'Set ANTHROPIC_API_KEY or OPENAI_API_KEY to use a real one.';

/** Its name. */
export const EMBEDDED = 'embedded';

/** `nextStep` answers the turns of the conversation. */
export function embeddedModel(nextStep: (request: ModelRequest) => Step): Model {
  return {
    name: EMBEDDED,
    async *stream(request): AsyncGenerator<ModelEvent, void> {
      request.signal.throwIfAborted();
      const { text, calls = [] } = stepFor(request, nextStep);
      yield { type: 'text', text };
      for (const call of calls) yield { type: 'tool_use', id: `toolu_${randomUUID()}`, ...call };
      yield {
        type: 'end',
        stopReason: calls.length === 0 ? 'end_turn' : 'tool_use',
        usage: { inputTokens: 0, outputTokens: 0 },
      };
    },
  };
}

function stepFor(request: ModelRequest, nextStep: (request: ModelRequest) => Step): Step {
  // An answer would be a guess, and a guard that guesses is none: the hook fails, and its failure policy decides.
  if (request.purpose === 'hook')
    throw new ModelError('unavailable', `The embedded model cannot answer for a hook. ${HOW_TO_GET_A_MODEL}`);
  if (request.purpose === 'summary')
    return { text: '<summary>The embedded model answered the prompts so far.</summary>' };
  return nextStep(request);
}
