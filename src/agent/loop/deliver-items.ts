/** Delivers mailbox items with the next request, and acknowledges them only after they were sent. */
import { abortable } from '../../base/async/abortable.js';
import { messageOf } from '../../base/errors.js';
import { cutAt, cutText } from '../../base/text/cut-text.js';
import { type CanonicalMessage, placeInjections } from '../../injection/format.js';
import { createFramer } from '../../injection/frame.js';
import { MAIN_AGENT } from '../../injection/hooks/built-in.js';
import type { Lease } from '../../injection/port.js';
import { SpillStore } from '../../runner/spill-store.js';
import type { ModelMessage, TextBlock } from '../models/port.js';
import { type Agent, scopeOf } from './agent.js';
import { emitMessage, type Session } from './session.js';

/** Further items are delivered with later requests. */
const MAX_AT_ONCE = 20;

/** The agent's name in the mailbox; the same as for its hooks. */
export function mailboxName({ options }: Pick<Session, 'options'>, agent: Agent): string {
  return scopeOf(agent, options) ?? MAIN_AGENT;
}

/**
 * Returns undefined if there is no mailbox or it has no items. If the mailbox fails, emits a warning and continues.
 */
export async function takeItems(
  session: Session,
  agent: Agent,
  signal: AbortSignal,
): Promise<Lease | undefined> {
  const { mailbox } = session.options;
  if (mailbox === undefined) return undefined;
  try {
    const names = Object.values(toolsAnswered(agent.messages));
    const agentId = mailboxName(session, agent);
    const taking = mailbox.take({
      agentId,
      limit: MAX_AT_ONCE,
      ...(names.length > 0 && { toolNames: names }),
    });
    const lease = await abortable(taking, signal, () => undefined);
    if (lease === undefined) {
      // The run was aborted: release the items when the lease arrives.
      taking.then((late) => late.release()).catch(() => {});
      return undefined;
    }
    if (lease.items.length === 0) return undefined;
    return await withPreviews(session.items.follow(agentId, lease), maxLengthIn(session));
  } catch (error) {
    warnOfFailure(session, error);
    return undefined;
  }
}

/**
 * Acknowledges or releases the lease. Emits a warning if the mailbox fails. Stops waiting on abort; never rejects.
 */
export async function endLease(
  session: Session,
  lease: Lease | undefined,
  how: 'acknowledge' | 'release',
  signal: AbortSignal,
): Promise<void> {
  if (lease === undefined) return;
  // An error after the abort is ignored.
  await abortable(lease[how](), signal, () => undefined).catch((error: unknown) =>
    warnOfFailure(session, error),
  );
}

function warnOfFailure(session: Session, error: unknown): void {
  const why = messageOf(error).replace(/\.$/, '');
  const content = `The mailbox failed: ${why}. Its items will be delivered later.`;
  emitMessage(session, { type: 'system', subtype: 'informational', content, level: 'warning' });
}

const DEFAULT_LENGTH = 10_000;
const PREVIEW = 2000;
/** Items have their length by now; the frame must not cut the name of the file off. */
const WHOLE = Number.MAX_SAFE_INTEGER;
const spills = new SpillStore();

const maxLengthIn = ({ options }: Session): number => options.maxItemLength ?? DEFAULT_LENGTH;

/** An item that is too long becomes a preview that names the file with the whole text. */
async function withPreviews(lease: Lease, maxLength: number): Promise<Lease> {
  if (lease.items.every(({ content }) => content.length <= maxLength)) return lease;
  const items = await Promise.all(
    lease.items.map(async (item) => {
      const { content } = item;
      if (content.length <= maxLength) return item;
      const path = await spills.save(content);
      if (path === undefined) return { ...item, content: cutText(content, maxLength) };
      const whole = `[preview: all ${content.length} characters are in ${path}]`;
      const room = Math.max(0, Math.min(PREVIEW, maxLength - whole.length - 1));
      return { ...item, content: `${cutAt(content, room)}\n${whole}` };
    }),
  );
  return { items, acknowledge: () => lease.acknowledge(), release: () => lease.release() };
}

/** Adds the items to the last message, or to a new one if the last message is the model's. */
export function placeItems(messages: readonly ModelMessage[], { items }: Lease): readonly ModelMessage[] {
  const last = messages.at(-1);
  const [before, message] =
    last?.role === 'user'
      ? [messages.slice(0, -1), last]
      : [messages, { role: 'user', content: [] } satisfies ModelMessage];
  // Images and files pass through unchanged.
  const placed = placeInjections(message as CanonicalMessage, items, {
    toolNames: toolsAnswered(messages),
    maxContentLength: WHOLE,
  });
  return [...before, placed as ModelMessage];
}

/** The items as transcript lines; the message that carries them may already have been written. */
export function itemsAsText({ items }: Lease): TextBlock[] {
  const { frame } = createFramer(items, [], { maxContentLength: WHOLE });
  return items.map((item) => ({ type: 'text', text: frame(item) }));
}

/** The names of the tools whose results are in the last message, by call id. */
function toolsAnswered(messages: readonly ModelMessage[]): Record<string, string> {
  const [answer, results] = messages.slice(-2);
  if (results?.role !== 'user') return {};
  const ids = results.content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  const calls = answer?.content.filter((block) => block.type === 'tool_use') ?? [];
  return Object.fromEntries(calls.filter(({ id }) => ids.includes(id)).map(({ id, name }) => [id, name]));
}
