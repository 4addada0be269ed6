/** Lets in what others have told an agent: for the main one, as the prompts that they are. */
import type { Agent } from './agent.js';
import type { Notice } from './inbox.js';
import { remind, remindOfContext } from './reminders.js';
import { emitMessage, type Session, type StopRequest } from './session.js';
import { stopRequestOf } from './tool-result.js';

export interface Admitted {
  /** For the next message. What hooks block is not among them. */
  readonly texts: readonly string[];
  /** A hook wants the turn to end. */
  readonly halt?: StopRequest | undefined;
}

export async function admitNotices(session: Session, agent: Agent, signal: AbortSignal): Promise<Admitted> {
  const texts: string[] = [];
  const notices = agent.inbox.take();
  for (const [i, notice] of notices.entries()) {
    const admitted = await admit(session, agent, notice, signal);
    if (admitted === undefined) {
      // Not judged to the end: it waits for the next time, and so do those behind it.
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

/** Undefined: somebody ended it before hooks had their say. */
async function admit(
  session: Session,
  agent: Agent,
  { from, text }: Notice,
  signal: AbortSignal,
): Promise<Admitted | undefined> {
  // Hooks on prompts judge what reaches the main agent, whoever it comes from.
  if (agent !== session.main) return { texts: [remind(text)] };
  const outcome = await session.hooks.fire('UserPromptSubmit', agent, { prompt: text }, { signal });
  if (signal.aborted || outcome.aborted) return undefined;
  const halt = stopRequestOf(outcome);
  if (outcome.decision !== 'deny' && halt === undefined) {
    const injected = outcome.injections.map(({ content }) => content);
    return {
      texts: [...remindOfContext(outcome.event, outcome.additionalContext), ...injected, remind(text)],
    };
  }
  emitMessage(session, {
    type: 'system',
    subtype: 'informational',
    content: `A UserPromptSubmit hook kept what ${from} says from the agent: ${outcome.reason ?? 'no reason given'}`,
    level: 'warning',
  });
  return { texts: [], halt };
}
