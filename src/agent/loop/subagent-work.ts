/** The work of a subagent: a single task, or a team member that waits for more. */
import { messageOf } from '../../base/errors.js';
import type { Agent } from './agent.js';
import { BlockedCall } from './model-hooks.js';
import { admitNotices } from './notices.js';
import { DEFAULT_STOP_CAP } from './options.js';
import { feedbackOf, refusals } from './reminders.js';
import type { Session, StopRequest } from './session.js';
import { fireStopFailure } from './stop-failure.js';
import { takeTurns } from './take-turns.js';
import { closeOpenCalls } from './use-tools.js';

export type WorkEnd =
  /** `halt` is set if a permission answer ended the turn or a tool call was deferred. */
  | { readonly ok: true; readonly halt?: StopRequest | undefined }
  | { readonly ok: false; readonly error: string };

/** Never rejects: errors are returned to the caller. */
export async function workOnce(session: Session, agent: Agent, signal: AbortSignal): Promise<WorkEnd> {
  try {
    const end = await takeTurns(session, agent, signal);
    await fireStopFailure(session, agent, end, signal);
    if (end.error !== undefined) return { ok: false, error: unfinished(agent, end.error) };
    const { reason, deferred } = end;
    const isOurs = reason === 'permission_interrupt' || reason === 'tool_deferred';
    return { ok: true, halt: isOurs ? { reason, deferred } : undefined };
  } catch (error) {
    closeOpenCalls(agent, 'the agent ended before it.');
    const blocked = error instanceof BlockedCall;
    if (blocked && error.halt !== undefined) return { ok: true };
    await fireStopFailure(
      session,
      agent,
      { reason: blocked ? 'model_call_blocked' : 'model_error', error: messageOf(error), cause: error },
      signal,
    );
    const why = signal.aborted ? 'it was interrupted' : messageOf(error);
    return { ok: false, error: `The agent ended without an answer: ${why}.` };
  } finally {
    await agent.transcript?.flush();
  }
}

/** What it said last is often the best it has. */
function unfinished({ lastText }: Agent, error: string): string {
  const said = lastText === '' ? '' : `\nIts last text: ${lastText}`;
  return `The agent did not finish. ${error}${said}`;
}

/** Works, fires TeammateIdle, waits for messages, and works again until the session ends. Never rejects. */
export async function workAsMember(
  session: Session,
  agent: Agent,
  description: string,
  signal: AbortSignal,
): Promise<void> {
  const never = new Promise<never>(() => {});
  const { stopCap = DEFAULT_STOP_CAP } = session.options;
  let blockedIdles = 0;
  while (!signal.aborted) {
    const end = await workOnce(session, agent, signal);
    const mayGoOn = end.ok && (stopCap === 0 || blockedIdles < stopCap);
    const feedback = mayGoOn ? await askToIdle(session, agent, signal) : undefined;
    if (signal.aborted) return;
    if (feedback !== undefined) {
      blockedIdles += 1;
      agent.appendUserMessage(
        feedback.map((text) => ({ type: 'text', text })),
        { isMeta: true },
      );
      continue;
    }
    blockedIdles = 0;
    notifyLead(session, agent, description, end);
    session.background.setBusy(agent, false);
    await agent.inbox.waitForNotice(never, signal);
    if (signal.aborted) return;
    session.background.setBusy(agent, true);
    const { texts } = await admitNotices(session, agent, signal);
    agent.appendUserMessage(texts);
  }
}

/** Returns what the agent reads next if a hook blocks it from becoming idle. */
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
  const result = end.ok ? agent.lastText : end.error;
  session.main.inbox.put({
    from: name,
    text: `<teammate-message teammate_id=${JSON.stringify(name)} summary=${JSON.stringify(description)}>\n${result}\n</teammate-message>\n${name} is idle now.`,
  });
}
