/** From waiting to its end, always by one rename: of several processes one wins, and a file is in one place at a time. */
import { messageOf } from '../../../base/errors.js';
import { isGone } from '../../../process/owner.js';
import type { InjectionItem, InjectionState } from '../../port.js';
import type { AgentBox } from './agent-box.js';
import { move, remove } from './disk.js';
import { claimFile, type Ending, endFile } from './file-names.js';
import { type ItemName, isExpired } from './item-name.js';
import type { About, Desk } from './mailbox-context.js';
import { aboutItem, readRecord } from './record.js';

/** An item that this process has taken out. */
export interface Claim {
  readonly name: ItemName;
  readonly path: string;
  readonly endsAt: number;
}

export interface ClaimedItem extends Claim {
  readonly item: InjectionItem;
}

/** Undefined: somebody else was first. */
export async function claim(desk: Desk, box: AgentBox, name: ItemName): Promise<Claim | undefined> {
  const endsAt = desk.now() + desk.leaseMs;
  const path = box.inside('claimed', claimFile(name, desk.owner, endsAt));
  const isOurs = await move(box.waiting(name), path);
  box.arrivals.drop(name);
  return isOurs ? { name, path, endsAt } : undefined;
}

/** Undefined: it cannot be read, so it has failed, and that was said. */
export async function readClaimed(
  desk: Desk,
  box: AgentBox,
  claimed: Claim,
): Promise<ClaimedItem | undefined> {
  const reading = await readRecord(claimed.path, claimed.name);
  if (reading === undefined) return undefined;
  if (reading.ok) return { ...claimed, item: reading.record.item };
  const { name, path } = claimed;
  const reason = `its file cannot be used: ${reading.problem}`;
  if (await end(desk, box, { name, path, ending: 'failed-corrupt', reason })) {
    desk.tellProblem(new Error(`The item '${name.text}' for ${box.agentId} has failed: ${reason}`));
  }
  return undefined;
}

export interface EndRequest {
  readonly name: ItemName;
  /** Where it is now. */
  readonly path: string;
  readonly ending: Ending;
  readonly reason?: string | undefined;
  readonly about?: About | undefined;
}

/** False: it is no longer there, so somebody else decides about it. */
export async function end(desk: Desk, box: AgentBox, request: EndRequest): Promise<boolean> {
  const { name, path, ending, reason } = request;
  const place = box.inside('done', endFile(name, ending, desk.now()));
  if (!(await move(path, place))) return false;
  const about = request.about ?? (await aboutItem(desk.place, name));
  desk.report({ agentId: box.agentId, name, about, state: stateOf(ending), reason });
  return true;
}

export function stateOf(ending: Ending): InjectionState {
  return ending === 'failed-corrupt' || ending === 'failed-left' ? 'failed' : ending;
}

/** Nobody is about to send it any more: it waits again, in its old place, unless its time has passed in between. */
export async function giveBack(
  desk: Desk,
  box: AgentBox,
  claimed: Pick<Claim, 'name' | 'path'>,
  reason: string,
): Promise<void> {
  const { name, path } = claimed;
  if (isExpired(name, desk.now())) {
    const late = 'its time had passed when it came back';
    await end(desk, box, { name, path, ending: 'expired', reason: late });
    return;
  }
  const left = await box.leftBecause();
  if (left !== undefined) {
    await end(desk, box, { name, path, ending: 'failed-left', reason: left });
    return;
  }
  if (!(await move(path, box.waiting(name)))) return;
  await box.arrivals.announce(name);
  const about = await aboutItem(desk.place, name);
  desk.report({ agentId: box.agentId, name, about, state: 'queued', reason });
}

/** What was taken by processes that are gone, or longer ago than they may have it, waits again. */
export async function requeueAbandoned(desk: Desk, box: AgentBox): Promise<void> {
  const verdicts = new Map<string, boolean>();
  let ended: ReadonlySet<string> | undefined;
  for (const { file, parsed } of await box.claims()) {
    const { name, owner, endsAt } = parsed;
    const key = `${owner.place}-${owner.pid}-${owner.start}`;
    const gone = verdicts.get(key) ?? isGone(owner, desk.owner);
    verdicts.set(key, gone);
    const isOver = endsAt <= desk.now();
    if (!isOver && !gone) continue;
    const path = box.inside('claimed', file);
    // After a power cut a file can be under both names; the end counts.
    ended ??= new Set((await box.ends()).map((each) => each.parsed.name.text));
    if (ended.has(name.text)) await remove(path);
    else
      await giveBack(
        desk,
        box,
        { name, path },
        isOver ? 'not acknowledged in time' : 'whoever had it is gone',
      );
  }
}

/** Ends what waits, if it still does. */
export async function endWaiting(
  desk: Desk,
  box: AgentBox,
  name: ItemName,
  ending: Ending,
  reason: string,
): Promise<void> {
  try {
    await end(desk, box, { name, path: box.waiting(name), ending, reason });
  } catch (error) {
    const message = `The item '${name.text}' for ${box.agentId} could not be ended as ${stateOf(ending)}: ${messageOf(error)}`;
    desk.tellProblem(new Error(message, { cause: error }));
  }
  box.arrivals.drop(name);
}

export async function expireWaiting(desk: Desk, box: AgentBox): Promise<void> {
  for (const name of await box.arrivals.names()) {
    if (isExpired(name, desk.now())) await endWaiting(desk, box, name, 'expired', 'its time has passed');
  }
}

/** What waits for an agent that has left cannot be delivered. */
export async function failLeft(desk: Desk, box: AgentBox): Promise<void> {
  const reason = await box.leftBecause();
  if (reason === undefined) return;
  await expireWaiting(desk, box);
  for (const name of await box.arrivals.names()) await endWaiting(desk, box, name, 'failed-left', reason);
}
