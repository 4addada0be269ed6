/** Whether an approval is still in the store: a person may withdraw it while its hook is in use. */
import type { TrustStore } from './trust-store.js';

/** Contract: the function never rejects. */
export function approvalStands(
  store: Pick<TrustStore, 'review'>,
  workspace: string,
  fingerprint: string,
): () => Promise<boolean> {
  return async () => {
    const review = await store.review(workspace, []).catch(() => undefined);
    // If the store cannot be read, nobody is known to have withdrawn it. A store of the caller may know less.
    if (review?.approvals === undefined || review.problems.length > 0) return true;
    return review.approvals.some((approval) => approval.fingerprint === fingerprint);
  };
}
