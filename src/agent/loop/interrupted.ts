/** Keeps what an interrupted model had said, and lets it know that it was interrupted. */
import { remind } from '../../base/text/remind.js';
import type { ContentBlock, ModelMessage } from '../models/port.js';
import type { Agent } from './agent.js';
import { recordAnswer } from './record-answer.js';
import type { Session } from './session.js';

const NOTE =
  'The run was interrupted here. What you said before this may be incomplete, and what you had planned was not done.';

/**
 * Adds the text of an answer that was cut short by an interrupt. Only text: calls that were not run would need results, and
 * thinking that is not finished cannot be sent back.
 */
export function keepPartialAnswer(
  session: Session,
  agent: Agent,
  model: string,
  blocks: readonly ContentBlock[],
): void {
  const content = blocks.filter((block) => block.type === 'text' && block.text.trim() !== '');
  recordAnswer(session, agent, { model, content });
}

/** `before`: the last message before the run. Without a newer one, the model has nothing to know. */
export function noteInterrupt(agent: Agent, before: ModelMessage | undefined): void {
  if (agent.messages.at(-1) === before) return;
  agent.appendUserMessage([{ type: 'text', text: remind(NOTE) }], { isMeta: true });
}
