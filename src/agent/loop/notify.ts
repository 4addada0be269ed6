/** Tells hooks that somebody is waited for: a question is open, or nothing is asked of the agent any more. */
import type { Agent } from './agent.js';
import { DEFAULT_PERMISSION_NOTICE_SECONDS } from './options.js';
import type { Session } from './session.js';

/** Fires a notification; what hooks answer to it changes nothing, so nobody waits for them. It ends with the session. */
export function notify(
  session: Session,
  agent: Agent,
  type: string,
  message: string,
  signal: AbortSignal = session.background.signal,
): void {
  session.hooks
    .fire('Notification', agent, { message, notification_type: type }, { signal })
    // A runner that was disposed meanwhile has nobody to notify.
    .catch(() => {});
}

/** Returns the function that ends the waiting. */
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
