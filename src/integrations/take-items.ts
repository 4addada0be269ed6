/** Takes items from a mailbox for an external host: one lease per item, as many as fit. */
import type { InjectionItem, Lease, Mailbox } from '../injection/port.js';
import { reportProblem } from './ask-hooks.js';

/** Formats items as text for a model. */
export type RenderItems = (items: readonly InjectionItem[]) => string;

export interface Taking {
  readonly mailbox: Mailbox;
  readonly agentId: string;
  /** Skips items that do not match this tool; undefined at the end of a turn. */
  readonly toolName: string | undefined;
  readonly show: (items: readonly InjectionItem[]) => string | Promise<string>;
  readonly onProblem: (problem: Error) => void;
  /** Maximum number of characters, including `gap` characters between texts. Default: unlimited. */
  readonly room?: number;
  readonly gap?: number;
  /** Returns true if the item is already handled elsewhere and must not be shown. */
  readonly isKnown?: (lease: Lease) => boolean;
}

export interface TakenItem {
  readonly text: string;
  readonly lease: Lease;
}

/** Maximum number of items per response; the others follow with the next one. */
const MAX_AT_ONCE = 100;

/** Never rejects: items that cannot be taken, shown, or fitted in stay queued, and problems are reported. */
export async function takeItems(taking: Taking): Promise<readonly TakenItem[]> {
  const { room = Number.POSITIVE_INFINITY, gap = 0, isKnown = () => false, onProblem } = taking;
  const taken: TakenItem[] = [];
  // Held until all others are done: released at once, they would be taken again next.
  const unshown: Lease[] = [];
  let left = room;
  for (let count = 0; count < MAX_AT_ONCE && left > 0; count++) {
    const lease = await takeOne(taking);
    if (lease === undefined) break;
    if (isKnown(lease)) continue;
    const text = await showLease(lease, taking);
    if (text === undefined) {
      unshown.push(lease);
      continue;
    }
    if (text.length > left) {
      await endLease(lease, 'release', onProblem);
      break;
    }
    taken.push({ text, lease });
    left -= text.length + gap;
  }
  for (const lease of unshown) await endLease(lease, 'release', onProblem);
  return taken;
}

async function takeOne({ mailbox, agentId, toolName, onProblem }: Taking): Promise<Lease | undefined> {
  const toolNames = toolName === undefined ? undefined : [toolName];
  try {
    const lease = await mailbox.take({ agentId, toolNames, limit: 1 });
    if (lease.items.length > 0) return lease;
    await lease.release();
  } catch (error) {
    reportProblem(onProblem, error);
  }
  return undefined;
}

async function showLease({ items }: Lease, { show, onProblem }: Taking): Promise<string | undefined> {
  try {
    return await show(items);
  } catch (error) {
    reportProblem(onProblem, error);
    return undefined;
  }
}

/** Never rejects; resolves when the mailbox has been updated. */
export async function endLease(
  lease: Lease,
  how: 'acknowledge' | 'release',
  onProblem: (problem: Error) => void,
): Promise<void> {
  try {
    await lease[how]();
  } catch (error) {
    reportProblem(onProblem, error);
  }
}
