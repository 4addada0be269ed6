/** Claims the items of a box that may be delivered now, in order, without reading other files. */
import type { AgentBox } from './agent-box.js';
import { type ClaimedItem, claim, endWaiting, giveBack, readClaimed } from './claims.js';
import { type ItemName, isExpired } from './item-name.js';
import type { MailboxContext } from './mailbox-context.js';
import type { Matchers } from './matchers.js';

export interface Taking {
  readonly context: MailboxContext;
  readonly box: AgentBox;
  readonly matchers: Matchers;
  /** Undefined: items for any tool. */
  readonly toolNames: readonly string[] | undefined;
  readonly limit: number;
}

const AT_ONCE = 16;

/** If it rejects, nothing was claimed. */
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
  const { context, box, matchers, toolNames } = taking;
  if (isExpired(name, context.now())) {
    await endWaiting(context, box, name, 'expired', 'it has expired');
    return undefined;
  }
  if (!(await matchers.mayCarry(box, name, toolNames))) return undefined;
  const claimed = await claim(context, box, name);
  if (claimed === undefined) return undefined;
  try {
    return await readClaimed(context, box, claimed);
  } catch (error) {
    await giveBackQuietly(taking, claimed);
    throw error;
  }
}

/** A claim that cannot be released is requeued when its lease expires. */
async function giveBackQuietly(
  { context, box }: Taking,
  claimed: Parameters<typeof giveBack>[2],
): Promise<void> {
  await giveBack(context, box, claimed, 'it could not be taken').catch(context.reportProblem);
}
