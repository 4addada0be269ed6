/** How an agent that was started by another works: once, or as a member of the team that waits for more. */
import { messageOf } from '../../base/errors.js';
import type { Agent } from './agent.js';
import { admitNotices } from './notices.js';
import { DEFAULT_STOP_CAP } from './options.js';
import { feedbackOf, refusals } from './reminders.js';
import type { Session, StopRequest } from './session.js';
import { takeTurns } from './take-turns.js';
import { closeOpenCalls } from './use-tools.js';

export type WorkEnd =
  /** `halt`: whoever was asked wants everything to end, or to be decided later. */
  | { readonly ok: true; readonly halt?: StopRequest | undefined }
  | { readonly ok: false; readonly error: string };

/** Never rejects: what went wrong is told to whoever started it. */
export async function workOnce(session: Session, agent: Agent, signal: AbortSignal): Promise<WorkEnd> {
  try {
    const end = await takeTurns(session, agent, signal);
    if (end.error !== undefined) return { ok: false, error: end.error };
    const { reason, deferred } = end;
    const isOurs = reason === 'permission_interrupt' || reason === 'tool_deferred';
    return { ok: true, halt: isOurs ? { reason, deferred } : undefined };
  } catch (error) {
    closeOpenCalls(agent, 'the agent ended before it.');
    const why = signal.aborted ? 'it was interrupted' : messageOf(error);
    return { ok: false, error: `The agent ended without an answer: ${why}.` };
  } finally {
    await agent.transcript?.flush();
  }
}

/** Works, asks whether it may be idle, waits for messages, and works again, until the session ends. Never rejects. */
export async function workAsMember(
  session: Session,
  agent: Agent,
  description: string,
  signal: AbortSignal,
): Promise<void> {
  const never = new Promise<never>(() => {});
  const { stopCap = DEFAULT_STOP_CAP } = session.options;
  let keptFromIdling = 0;
  while (!signal.aborted) {
    const end = await workOnce(session, agent, signal);
    const mayGoOn = end.ok && keptFromIdling < stopCap;
    const feedback = mayGoOn ? await askToIdle(session, agent, signal) : undefined;
    if (signal.aborted) return;
    if (feedback !== undefined) {
      keptFromIdling += 1;
      agent.appendUserMessage(
        feedback.map((text) => ({ type: 'text', text })),
        { isMeta: true },
      );
      continue;
    }
    keptFromIdling = 0;
    notifyLead(session, agent, description, end);
    session.background.setBusy(agent, false);
    await agent.inbox.somethingOr(never, signal);
    if (signal.aborted) return;
    session.background.setBusy(agent, true);
    const { texts } = await admitNotices(session, agent, signal);
    agent.appendUserMessage(texts.map((text) => ({ type: 'text', text })));
  }
}

/** What it reads when hooks do not let it be idle. */
async function askToIdle(
  session: Session,
  agent: Agent,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const outcome = await session.hooks
    .fire(
      'TeammateIdle',
      agent,
      { teammate_name: agent.identity?.name ?? '', team_name: session.options.team ?? '' },
      { signal },
    )
    .catch(() => undefined);
  const objections = refusals(outcome?.results ?? []);
  if (outcome === undefined || outcome.continue === false || objections.length === 0) return undefined;
  return objections.map((result) => feedbackOf(outcome.event, result));
}

function notifyLead(session: Session, agent: Agent, description: string, end: WorkEnd): void {
  const name = agent.identity?.name ?? '';
  const said = end.ok ? agent.lastText : end.error;
  session.main.inbox.put({
    from: name,
    text: `<teammate-message teammate_id=${JSON.stringify(name)} summary=${JSON.stringify(description)}>\n${said}\n</teammate-message>\n${name} is idle now.`,
  });
}
