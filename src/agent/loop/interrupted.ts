/** Keeps what an interrupted model had said, and lets it know that it was interrupted. */
import { randomUUID } from 'node:crypto';
import { remind } from '../../injection/set-apart.js';
import type { ContentBlock, ModelMessage } from '../models/port.js';
import { toWireUsage } from '../models/usage.js';
import type { Agent } from './agent.js';
import { emitMessage, type Session } from './session.js';

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
  const said = blocks.filter((block) => block.type === 'text' && block.text.trim() !== '');
  if (said.length === 0) return;
  const id = `msg_${randomUUID().replaceAll('-', '')}`;
  agent.answer(said, { id, model });
  emitMessage(session, {
    type: 'assistant',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: said,
      stop_reason: null,
      usage: toWireUsage({ inputTokens: 0, outputTokens: 0 }),
    },
    parent_tool_use_id: agent.parentToolUseId,
  });
}

/** `before`: the last message before the run. Without a newer one, the model has nothing to know. */
export function noteInterrupt(agent: Agent, before: ModelMessage | undefined): void {
  if (agent.messages.at(-1) === before) return;
  agent.appendUserMessage([{ type: 'text', text: remind(NOTE) }], { isMeta: true });
}
