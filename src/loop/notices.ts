/** Lets in what others have told an agent: for the main one, as the prompts that they are. */
import type { Agent } from './agent.js';
import type { Notice } from './inbox.js';
import { remind, remindOfContext } from './reminders.js';
import { type Session, say } from './session.js';

/** Texts for the next message. What hooks block is not among them. */
export async function admitNotices(
  session: Session,
  agent: Agent,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const notice of agent.inbox.take()) texts.push(...(await admit(session, agent, notice, signal)));
  return texts;
}

async function admit(
  session: Session,
  agent: Agent,
  { from, text }: Notice,
  signal: AbortSignal,
): Promise<readonly string[]> {
  // Hooks on prompts judge what reaches the main agent, whoever it comes from.
  if (agent !== session.main) return [remind(text)];
  const outcome = await session.hooks.fire('UserPromptSubmit', agent, { prompt: text }, { signal });
  if (outcome.decision !== 'deny' && outcome.continue !== false)
    return [...remindOfContext(outcome.event, outcome.additionalContext), remind(text)];
  say(session, {
    type: 'system',
    subtype: 'informational',
    content: `A UserPromptSubmit hook kept what ${from} says from the agent: ${outcome.reason ?? 'no reason given'}`,
    level: 'warning',
  });
  return [];
}
