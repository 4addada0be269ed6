/** Brings what waits in the mailbox into the next request, and says that it was sent only when it was. */
import { messageOf } from '../errors.js';
import { placeInjections } from '../injection/format.js';
import { createFramer } from '../injection/frame.js';
import { MAIN_AGENT } from '../injection/hooks/built-in.js';
import type { Lease } from '../injection/port.js';
import type { ModelMessage, TextBlock } from '../models/port.js';
import type { Agent } from './agent.js';
import { type Session, say } from './session.js';

/** The rest goes along with the request after that. */
const MOST_AT_ONCE = 20;

/** How an agent is called in the mailbox, and by hooks: one name for both. */
export function mailboxName(session: Pick<Session, 'options'>, { identity }: Agent): string {
  return identity?.name ?? identity?.id ?? session.options.agentId ?? MAIN_AGENT;
}

/** Undefined when nothing waits, or there is no mailbox. A mailbox that fails is told about and holds nobody up. */
export async function takeItems(session: Session, agent: Agent): Promise<Lease | undefined> {
  const { mailbox } = session.options;
  if (mailbox === undefined) return undefined;
  try {
    const names = Object.values(toolsAnswered(agent.messages));
    const lease = await mailbox.take({
      agentId: mailboxName(session, agent),
      limit: MOST_AT_ONCE,
      ...(names.length > 0 && { toolNames: names }),
    });
    return lease.items.length > 0 ? lease : undefined;
  } catch (error) {
    const content = `The mailbox cannot be read: ${messageOf(error)}. What waits there is told later.`;
    say(session, { type: 'system', subtype: 'informational', content, level: 'warning' });
    return undefined;
  }
}

/** The conversation with the items in its last message; with a message of their own where the model spoke last. */
export function placeItems(messages: readonly ModelMessage[], { items }: Lease): readonly ModelMessage[] {
  const last = messages.at(-1);
  const [before, message] =
    last?.role === 'user'
      ? [messages.slice(0, -1), last]
      : [messages, { role: 'user', content: [] } satisfies ModelMessage];
  return [...before, placeInjections(message, items, { toolNames: toolsAnswered(messages) })];
}

/** The same items as lines of the transcript, where the message that carries them may have been written already. */
export function itemsAsText({ items }: Lease): TextBlock[] {
  const { frame } = createFramer(items);
  return items.map((item) => ({ type: 'text', text: frame(item) }));
}

/** The names of the tools whose results the last message holds, by the ids of their calls. */
function toolsAnswered(messages: readonly ModelMessage[]): Record<string, string> {
  const [answer, results] = messages.slice(-2);
  if (results?.role !== 'user') return {};
  const ids = results.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  const calls = answer?.content.filter((block) => block.type === 'tool_use') ?? [];
  return Object.fromEntries(calls.filter(({ id }) => ids.includes(id)).map(({ id, name }) => [id, name]));
}
