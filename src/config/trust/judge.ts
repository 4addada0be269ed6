/** Compares hooks with what was approved: trusted, never seen, or seen in another version. */
import { messageOf } from '../../errors.js';
import { fingerprint } from './fingerprint.js';
import { problem, type TrustProblem } from './problem.js';
import type { Approval } from './store-file.js';
import { headOf, identityOf, summaryOf, type TrustSubject } from './subject.js';

/** `modified`: it was approved, and has changed since; ask again. */
export type TrustStatus = 'trusted' | 'untrusted' | 'modified';

/** A hook with everything that it is compared by, or why it cannot be. */
export type Examined =
  | (Omit<Approval, 'approvedAt'> & { readonly unreadable?: undefined })
  | { readonly unreadable: TrustProblem };

/** Contract: never rejects. */
export async function examine(workspace: string, hooks: readonly TrustSubject[]): Promise<Examined[]> {
  const counted = new Map<string, number>();
  const examined: Examined[] = [];
  for (const hook of hooks) {
    const count = counted.get(hook.event) ?? 0;
    counted.set(hook.event, count + 1);
    examined.push(await examineOne({ ...hook, workspace }, `${hook.event}#${count}`));
  }
  return examined;
}

async function examineOne(hook: TrustSubject, place: string): Promise<Examined> {
  try {
    return {
      fingerprint: await fingerprint(hook),
      event: hook.event,
      ...(hook.matcher !== undefined && { matcher: hook.matcher }),
      summary: summaryOf(hook),
      identity: identityOf(hook),
      head: headOf(hook),
      place,
    };
  } catch (thrown) {
    const message = `A hook of ${hook.event} cannot be examined, so it is not trusted: ${messageOf(thrown)}`;
    return { unreadable: problem('hook_unreadable', message) };
  }
}

/** An approval that none of the hooks fulfils any more belongs to the one that stands in its place or begins alike. */
export function judge(examined: readonly Examined[], approvals: readonly Approval[]): TrustStatus[] {
  const approved = new Set(approvals.map((approval) => approval.fingerprint));
  const present = new Set(examined.map((hook) => (hook.unreadable ? undefined : hook.fingerprint)));
  const orphans = approvals.filter((approval) => !present.has(approval.fingerprint));
  return examined.map((hook) => {
    if (hook.unreadable) return 'untrusted';
    if (approved.has(hook.fingerprint)) return 'trusted';
    return orphans.some((orphan) => resembles(hook, orphan)) ? 'modified' : 'untrusted';
  });
}

type Compared = Pick<Approval, 'identity' | 'head' | 'place'>;

const resembles = (hook: Compared, approval: Compared): boolean =>
  hook.identity === approval.identity || hook.head === approval.head || hook.place === approval.place;
