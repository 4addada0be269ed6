/** Delivers notices from other agents. For the main agent, each is submitted as a prompt. */
import { remind } from '../../base/text/remind.js';
import { type AddedText, addText } from '../transcript/added-text.js';
import type { Agent } from './agent.js';
import type { Notice } from './inbox.js';
import { SAID_MEANWHILE } from './messages.js';
import { remindOfContext } from './reminders.js';
import { emitMessage, type Session, type StopRequest } from './session.js';
import { fireUserPromptSubmit } from './submit-hooks.js';
import { shownIn, stopRequestOf } from './tool-result.js';

export interface Admitted {
  /** Texts for the next message, without those that hooks blocked. */
  readonly texts: readonly AddedText[];
  /** Set if a hook ended the turn. */
  readonly halt?: StopRequest | undefined;
}

export async function admitNotices(session: Session, agent: Agent, signal: AbortSignal): Promise<Admitted> {
  const texts: AddedText[] = [];
  const notices = agent.inbox.take();
  for (const [i, notice] of notices.entries()) {
    const admitted = await admit(session, agent, notice, signal);
    if (admitted === undefined) {
      // The hooks were interrupted: put this notice and the ones after it back.
      for (const waiting of notices.slice(i)) agent.inbox.put(waiting);
      return { texts };
    }
    texts.push(...admitted.texts);
    if (admitted.halt === undefined) continue;
    for (const waiting of notices.slice(i + 1)) agent.inbox.put(waiting);
    return { texts, halt: admitted.halt };
  }
  return { texts };
}

/** Returns undefined if the run was aborted before the hooks had finished. */
async function admit(
  session: Session,
  agent: Agent,
  notice: Notice,
  signal: AbortSignal,
): Promise<Admitted | undefined> {
  const { from, text } = notice;
  // UserPromptSubmit hooks check everything that reaches the main agent, no matter who sent it.
  if (agent !== session.main) return { texts: [addText(remind(text))] };
  const source = notice.isUsers ? 'user' : 'system';
  const outcome = await fireUserPromptSubmit(session, agent, { prompt: text, source }, signal);
  if (signal.aborted || outcome.aborted) return undefined;
  const halt = stopRequestOf(outcome);
  if (outcome.decision !== 'deny' && halt === undefined) {
    const injected = outcome.injections.map(shownIn(session)).map(addText);
    if (notice.isUsers) showTyped(session, text);
    if (notice.summary !== undefined)
      emitMessage(session, {
        type: 'system',
        subtype: 'informational',
        content: notice.summary,
        level: 'warning',
      });
    const shown = notice.isUsers ? `${SAID_MEANWHILE}${text}` : remind(text);
    return {
      texts: [...remindOfContext(outcome.event, outcome.additionalContext), ...injected, addText(shown)],
    };
  }
  emitMessage(session, {
    type: 'system',
    subtype: 'informational',
    content: `A UserPromptSubmit hook blocked a message from ${from}: ${outcome.reason ?? 'no reason given'}`,
    level: 'warning',
  });
  return { texts: [], halt };
}

/** Watchers see when a message of the user reaches the model. */
function showTyped(session: Session, text: string): void {
  emitMessage(session, {
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  });
}
