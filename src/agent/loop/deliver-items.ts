/** Brings what waits in the mailbox into the next request, and says that it was sent only when it was. */
import { abortable } from '../../base/async/abortable.js';
import { messageOf } from '../../base/errors.js';
import { placeInjections } from '../../injection/format.js';
import { createFramer } from '../../injection/frame.js';
import { MAIN_AGENT } from '../../injection/hooks/built-in.js';
import type { Lease } from '../../injection/port.js';
import type { ModelMessage, TextBlock } from '../models/port.js';
import { type Agent, scopeOf } from './agent.js';
import { emitMessage, type Session } from './session.js';

/** The rest goes along with the request after that. */
const MAX_AT_ONCE = 20;

/** How an agent is called in the mailbox: as its hooks are. */
function mailboxName({ options }: Session, agent: Agent): string {
  return scopeOf(agent, options) ?? MAIN_AGENT;
}

/** Undefined when nothing waits, or there is no mailbox. A mailbox that fails is told about and holds nobody up. */
export async function takeItems(
  session: Session,
  agent: Agent,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const { mailbox } = session.options;
  if (mailbox === undefined) return undefined;
  try {
    const names = Object.values(toolsAnswered(agent.messages));
    const taking = mailbox.take({
      agentId: mailboxName(session, agent),
      limit: MAX_AT_ONCE,
      ...(names.length > 0 && { toolNames: names }),
    });
    const lease = await abortable(taking, signal, () => undefined);
    if (lease === undefined) {
      // It comes too late for this run, and goes back.
      taking.then((late) => late.release()).catch(() => {});
      return undefined;
    }
    return lease.items.length > 0 ? lease : undefined;
  } catch (error) {
    tellOfFailure(session, error);
    return undefined;
  }
}

/** Says what became of the items; a mailbox that cannot hear it is told about. Never rejects, and heeds the signal. */
export async function endLease(
  session: Session,
  lease: Lease | undefined,
  how: 'acknowledge' | 'release',
  signal: AbortSignal,
): Promise<void> {
  if (lease === undefined) return;
  // What fails after an abort has nobody left to be told.
  await abortable(lease[how](), signal, () => undefined).catch((error: unknown) =>
    tellOfFailure(session, error),
  );
}

function tellOfFailure(session: Session, error: unknown): void {
  const content = `The mailbox does not work: ${messageOf(error)}. What waits there is told later.`;
  emitMessage(session, { type: 'system', subtype: 'informational', content, level: 'warning' });
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
