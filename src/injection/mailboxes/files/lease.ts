/** Items that this process is about to send, and the two ways to end that. */
import { syncFolders } from '../../../base/files/private.js';
import type { Lease } from '../../port.js';
import type { AgentBox } from './agent-box.js';
import { type ClaimedItem, end, giveBack } from './claims.js';
import { inBatches } from './disk.js';
import type { Desk } from './mailbox-context.js';

/** What goes wrong on the disk rejects; the same call can then be made again for what is left. */
export function createLease(
  desk: Desk,
  box: AgentBox,
  claimed: readonly ClaimedItem[],
  guard: (call: string, work: () => Promise<void>) => Promise<void>,
): Lease {
  let open = claimed;
  const endAll = (call: string, work: (claim: ClaimedItem) => Promise<void>): Promise<void> => {
    const left = new Set(open);
    open = [];
    return guard(call, async () => {
      try {
        await inBatches([...left], async (claim) => {
          await work(claim);
          left.delete(claim);
        });
      } finally {
        open = [...left];
      }
    });
  };
  const acknowledgeOne = async (claim: ClaimedItem): Promise<void> => {
    const { name, path, item } = claim;
    const isInTime = claim.endsAt > desk.now();
    if (isInTime && (await end(desk, box, { name, path, ending: 'delivered', about: item }))) return;
    if (!isInTime) await giveBack(desk, box, claim, 'not acknowledged in time');
    const message = `The item ${item.id} for ${box.agentId} was acknowledged too late: it waits again, or somebody else has it, so it may be sent twice. Raise leaseMs, or acknowledge sooner.`;
    desk.tellProblem(new Error(message));
  };
  return Object.freeze({
    items: Object.freeze(claimed.map(({ item }) => item)),
    acknowledge: async () => {
      if (open.length === 0) return;
      await endAll('acknowledge', acknowledgeOne);
      await syncFolders(box.inside('done'), box.inside('claimed'));
    },
    release: () => endAll('release', (claim) => giveBack(desk, box, claim, 'released')),
  });
}
