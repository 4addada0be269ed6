/** Takes the items for one turn: one lease per item, so that items that do not fit can be released. */
import type { InjectionItem, Lease } from '../../injection/port.js';
import { reportProblem } from '../ask-hooks.js';
import { endLease } from '../take-items.js';
import type { Settings } from './options.js';

/** Maximum number of items per turn. */
const MAX_AT_ONCE = 100;

export interface Collected {
  readonly items: readonly InjectionItem[];
  readonly leases: readonly Lease[];
  /** Items that have to wait for another turn, because this one is full. */
  readonly left: readonly InjectionItem[];
}

/**
 * Never rejects. `carried` items come first and have no leases; an item that is too long for any turn is delivered
 * alone. `wasSent`: the host has acknowledged the item, but after its lease had expired.
 */
export async function collect(
  { mailbox, agentId, maxLength, render, onProblem }: Settings,
  carried: readonly InjectionItem[],
  wasSent: (id: string) => boolean,
): Promise<Collected> {
  const leases: Lease[] = [];
  const items: InjectionItem[] = [];
  let length = 0;
  const isAdded = (item: InjectionItem): boolean => {
    const size = render([item]).length;
    if (items.length > 0 && length + size > maxLength) return false;
    items.push(item);
    length += size;
    return true;
  };
  try {
    let count = carried.every(isAdded) ? 0 : MAX_AT_ONCE;
    for (; count < MAX_AT_ONCE; count += 1) {
      const lease = await mailbox.take({ agentId, limit: 1 });
      const [item] = lease.items;
      if (item === undefined) return { items, leases, left: [] };
      if (wasSent(item.id)) await endLease(lease, 'acknowledge', onProblem);
      else if (isAdded(item)) leases.push(lease);
      else {
        await endLease(lease, 'release', onProblem);
        break;
      }
    }
    return { items, leases, left: await mailbox.pending(agentId) };
  } catch (error) {
    reportProblem(onProblem, error);
    return { items, leases, left: [] };
  }
}
