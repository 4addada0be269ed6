/** Takes what waits for one turn: one lease for each item, so that what does not fit can go back. */
import type { InjectionItem, Lease } from '../../injection/port.js';
import { tell } from '../ask-hooks.js';
import { endLease } from '../take-items.js';
import type { Settings } from './options.js';

/** One turn is told no more than this, however much waits. */
const MAX_AT_ONCE = 100;

export interface Collected {
  readonly items: readonly InjectionItem[];
  readonly leases: readonly Lease[];
  /** What has to wait for another turn, because this one is full. */
  readonly left: readonly InjectionItem[];
}

/**
 * Never rejects. `carried` come first and have no leases; what is too long for any turn goes alone. `isTold`: the host
 * has said that it was sent, though its lease had run out by then.
 */
export async function collect(
  { mailbox, agentId, maxLength, render, onProblem }: Settings,
  carried: readonly InjectionItem[],
  isTold: (id: string) => boolean,
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
      if (isTold(item.id)) await endLease(lease, 'acknowledge', onProblem);
      else if (isAdded(item)) leases.push(lease);
      else {
        await endLease(lease, 'release', onProblem);
        break;
      }
    }
    return { items, leases, left: await mailbox.pending(agentId) };
  } catch (error) {
    tell(onProblem, error);
    return { items, leases, left: [] };
  }
}
