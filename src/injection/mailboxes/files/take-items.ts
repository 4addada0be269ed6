/** Takes out of a box what may be handed over now, in order, reading nothing else. */
import type { AgentBox } from './agent-box.js';
import { type ClaimedItem, claim, endWaiting, giveBack, readClaimed } from './claims.js';
import { type ItemName, isExpired } from './item-name.js';
import type { Desk } from './mailbox-context.js';
import type { Matchers } from './matchers.js';

export interface Taking {
  readonly desk: Desk;
  readonly box: AgentBox;
  readonly matchers: Matchers;
  /** Undefined: whatever tools they are for. */
  readonly toolNames: readonly string[] | undefined;
  readonly limit: number;
}

const AT_ONCE = 16;

/** When it rejects, it has taken nothing. */
export async function takeWaiting(taking: Taking): Promise<readonly ClaimedItem[]> {
  const names = await taking.box.arrivals.names();
  const taken: ClaimedItem[] = [];
  for (let at = 0; at < names.length && taken.length < taking.limit; ) {
    const batch = names.slice(at, at + Math.min(AT_ONCE, taking.limit - taken.length));
    at += batch.length;
    const results = await Promise.allSettled(batch.map((name) => takeOne(taking, name)));
    for (const result of results)
      if (result.status === 'fulfilled' && result.value !== undefined) taken.push(result.value);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed === undefined) continue;
    for (const claimed of taken) await giveBackQuietly(taking, claimed);
    throw failed.reason;
  }
  return taken;
}

async function takeOne(taking: Taking, name: ItemName): Promise<ClaimedItem | undefined> {
  const { desk, box, matchers, toolNames } = taking;
  if (isExpired(name, desk.now())) {
    await endWaiting(desk, box, name, 'expired', 'its time has passed');
    return undefined;
  }
  if (!(await matchers.mayCarry(box, name, toolNames))) return undefined;
  const claimed = await claim(desk, box, name);
  if (claimed === undefined) return undefined;
  try {
    return await readClaimed(desk, box, claimed);
  } catch (error) {
    await giveBackQuietly(taking, claimed);
    throw error;
  }
}

/** What cannot be given back comes back when its time is over. */
async function giveBackQuietly(
  { desk, box }: Taking,
  claimed: Parameters<typeof giveBack>[2],
): Promise<void> {
  await giveBack(desk, box, claimed, 'it could not be taken').catch(desk.tellProblem);
}
