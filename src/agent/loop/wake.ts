/** A hook in the background wakes the agent: it reads what the hook says with its next request, or in a turn of its own. */
import type { WakeUp } from '../../runner/late.js';
import { scopeOf } from './agent.js';
import type { Session } from './session.js';

/** `onWake` is called after the message was put where the agent finds it. */
export function wake(
  session: Session,
  { agentId, event, name, message, summary }: WakeUp,
  onWake: () => void,
): void {
  const { main, background, options } = session;
  const own = background
    .agents()
    .find((agent) => agentId !== undefined && scopeOf(agent, options) === agentId);
  const agent = own ?? main;
  agent.inbox.put({
    from: `the hook ${name}`,
    text: `${event} hook feedback:\n${message}`,
    summary,
    wakes: true,
  });
  if (agent === main) onWake();
}
