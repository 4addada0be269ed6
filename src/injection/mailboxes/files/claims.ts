/**
 * Moves items from queued to their end, always by one rename: one of several processes wins, and a file is in one place
 * at a time.
 */
import { messageOf } from '../../../base/errors.js';
import { isGone } from '../../../process/owner.js';
import type { InjectionItem, InjectionState } from '../../port.js';
import type { AgentBox } from './agent-box.js';
import { move, remove } from './disk.js';
import { claimFile, type Ending, endFile } from './file-names.js';
import { type ItemName, isExpired } from './item-name.js';
import type { About, MailboxContext } from './mailbox-context.js';
import { aboutItem, readRecord } from './record.js';

/** An item that this process has claimed. */
export interface Claim {
  readonly name: ItemName;
  readonly path: string;
  readonly endsAt: number;
}

export interface ClaimedItem extends Claim {
  readonly item: InjectionItem;
}

/** Undefined if another process was faster. */
export async function claim(
  context: MailboxContext,
  box: AgentBox,
  name: ItemName,
): Promise<Claim | undefined> {
  const endsAt = context.now() + context.leaseMs;
  const path = box.inside('claimed', claimFile(name, context.owner, endsAt));
  const isOurs = await move(box.waiting(name), path);
  box.arrivals.drop(name);
  return isOurs ? { name, path, endsAt } : undefined;
}

/** Undefined if the file cannot be read: the item has then failed, and the failure is reported. */
export async function readClaimed(
  context: MailboxContext,
  box: AgentBox,
  claimed: Claim,
): Promise<ClaimedItem | undefined> {
  const reading = await readRecord(claimed.path, claimed.name);
  if (reading === undefined) return undefined;
  if (reading.ok) return { ...claimed, item: reading.record.item };
  const { name, path } = claimed;
  const reason = `its file cannot be used: ${reading.problem}`;
  if (await end(context, box, { name, path, ending: 'failed-corrupt', reason })) {
    context.reportProblem(new Error(`The item '${name.text}' for ${box.agentId} has failed: ${reason}`));
  }
  return undefined;
}

export interface EndRequest {
  readonly name: ItemName;
  /** Its current path. */
  readonly path: string;
  readonly ending: Ending;
  readonly reason?: string | undefined;
  readonly about?: About | undefined;
}

/** False if the file is no longer there: another process handles it. */
export async function end(context: MailboxContext, box: AgentBox, request: EndRequest): Promise<boolean> {
  const { name, path, ending, reason } = request;
  const place = box.inside('done', endFile(name, ending, context.now()));
  if (!(await move(path, place))) return false;
  const about = request.about ?? (await aboutItem(context.place, name));
  context.report({ agentId: box.agentId, name, about, state: stateOf(ending), reason });
  return true;
}

export function stateOf(ending: Ending): InjectionState {
  return ending === 'failed-corrupt' || ending === 'failed-left' ? 'failed' : ending;
}

/** Ends the claim: the item is queued again in its old position, unless it has expired meanwhile. */
export async function giveBack(
  context: MailboxContext,
  box: AgentBox,
  claimed: Pick<Claim, 'name' | 'path'>,
  reason: string,
): Promise<void> {
  const { name, path } = claimed;
  if (isExpired(name, context.now())) {
    const late = 'it expired before it was released';
    await end(context, box, { name, path, ending: 'expired', reason: late });
    return;
  }
  const left = await box.leftBecause();
  if (left !== undefined) {
    await end(context, box, { name, path, ending: 'failed-left', reason: left });
    return;
  }
  if (!(await move(path, box.waiting(name)))) return;
  await box.arrivals.announce(name);
  const about = await aboutItem(context.place, name);
  context.report({ agentId: box.agentId, name, about, state: 'queued', reason });
}

/** Requeues items whose claiming process has died or whose lease has expired. */
export async function requeueAbandoned(context: MailboxContext, box: AgentBox): Promise<void> {
  const verdicts = new Map<string, boolean>();
  let ended: ReadonlySet<string> | undefined;
  for (const { file, parsed } of await box.claims()) {
    const { name, owner, endsAt } = parsed;
    const key = `${owner.place}-${owner.pid}-${owner.start}`;
    const gone = verdicts.get(key) ?? isGone(owner, context.owner);
    verdicts.set(key, gone);
    const isOver = endsAt <= context.now();
    if (!isOver && !gone) continue;
    const path = box.inside('claimed', file);
    // After a power failure a file can exist under both names; the finished one counts.
    ended ??= new Set((await box.ends()).map((each) => each.parsed.name.text));
    if (ended.has(name.text)) await remove(path);
    else
      await giveBack(
        context,
        box,
        { name, path },
        isOver ? 'not acknowledged in time' : 'the process that claimed it has died',
      );
  }
}

/** Ends an item if it is still queued. */
export async function endWaiting(
  context: MailboxContext,
  box: AgentBox,
  name: ItemName,
  ending: Ending,
  reason: string,
): Promise<void> {
  try {
    await end(context, box, { name, path: box.waiting(name), ending, reason });
  } catch (error) {
    const message = `The item '${name.text}' for ${box.agentId} could not be ended as ${stateOf(ending)}: ${messageOf(error)}`;
    context.reportProblem(new Error(message, { cause: error }));
  }
  box.arrivals.drop(name);
}

export async function expireWaiting(context: MailboxContext, box: AgentBox): Promise<void> {
  for (const name of await box.arrivals.names()) {
    if (isExpired(name, context.now())) await endWaiting(context, box, name, 'expired', 'it has expired');
  }
}

/** Items queued for an agent that has left fail. */
export async function failLeft(context: MailboxContext, box: AgentBox): Promise<void> {
  const reason = await box.leftBecause();
  if (reason === undefined) return;
  await expireWaiting(context, box);
  for (const name of await box.arrivals.names()) await endWaiting(context, box, name, 'failed-left', reason);
}
