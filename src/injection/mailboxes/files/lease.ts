/** The lease of items that this process has claimed. */
import { syncFolders } from '../../../base/files/private.js';
import type { Lease } from '../../port.js';
import type { AgentBox } from './agent-box.js';
import { type ClaimedItem, end, giveBack } from './claims.js';
import { inBatches } from './disk.js';
import type { MailboxContext } from './mailbox-context.js';

/** Rejects on disk errors; the same call can then be retried for the remaining items. */
export function createLease(
  context: MailboxContext,
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
    const isInTime = claim.endsAt > context.now();
    if (isInTime && (await end(context, box, { name, path, ending: 'delivered', about: item }))) return;
    if (!isInTime) await giveBack(context, box, claim, 'not acknowledged in time');
    const message = `The item ${item.id} for ${box.agentId} was acknowledged too late: it is queued again, or another process has claimed it, so it may be sent twice. Raise leaseMs, or acknowledge sooner.`;
    context.reportProblem(new Error(message));
  };
  return Object.freeze({
    items: Object.freeze(claimed.map(({ item }) => item)),
    acknowledge: async () => {
      if (open.length === 0) return;
      await endAll('acknowledge', acknowledgeOne);
      await syncFolders(box.inside('done'), box.inside('claimed'));
    },
    release: () => endAll('release', (claim) => giveBack(context, box, claim, 'released')),
  });
}
