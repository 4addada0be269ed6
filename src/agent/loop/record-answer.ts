/** Adds an answer of the model to the conversation and the transcript, and emits it: the one place where that happens. */
import { randomUUID } from 'node:crypto';
import type { ContentBlock, ModelUsage, StopReason } from '../models/port.js';
import { assistantMessage } from '../transcript/line.js';
import type { Agent } from './agent.js';
import { emitMessage, type Session } from './session.js';

export interface Said {
  readonly model: string;
  readonly content: readonly ContentBlock[];
  /** Absent if the answer was cut short. */
  readonly stopReason?: StopReason;
  readonly usage?: ModelUsage;
}

/** An empty answer adds nothing: services reject empty messages. `shown`: what people see of it. */
export function recordAnswer(
  session: Session,
  agent: Agent,
  { content, ...details }: Said,
  shown: readonly ContentBlock[] = content,
): void {
  if (content.length === 0) return;
  const id = `msg_${randomUUID().replaceAll('-', '')}`;
  agent.answer(content, { id, ...details });
  emitMessage(session, {
    type: 'assistant',
    message: assistantMessage({ type: 'assistant', id, content: shown, ...details }),
    parent_tool_use_id: agent.parentToolUseId,
  });
}
