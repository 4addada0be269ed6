/** Fires Notification events: a permission question is open, or the agent is idle. */
import type { Agent } from './agent.js';
import { DEFAULT_PERMISSION_NOTICE_SECONDS } from './options.js';
import type { Session } from './session.js';

/** Does not wait for the hooks, because their output has no effect. The event is aborted when the session ends. */
export function notify(
  session: Session,
  agent: Agent,
  type: string,
  message: string,
  signal: AbortSignal = session.background.signal,
): void {
  session.hooks
    .fire('Notification', agent, { message, notification_type: type }, { signal })
    // The runner may have been disposed.
    .catch(() => {});
}

/** Returns a function that cancels the timer. */
export function notifyUnlessAnswered(
  session: Session,
  agent: Agent,
  toolName: string,
  signal: AbortSignal,
): () => void {
  const seconds = session.options.notify?.permissionAfter ?? DEFAULT_PERMISSION_NOTICE_SECONDS;
  const timer = setTimeout(() => {
    notify(session, agent, 'permission_prompt', `Your permission is needed to use ${toolName}`, signal);
  }, seconds * 1000);
  return () => clearTimeout(timer);
}
