/** Takes items out of a mailbox for a foreign host: one lease per item, as many as there is room for. */
import type { InjectionItem, Lease, Mailbox } from '../injection/port.js';
import { tell } from './ask-hooks.js';

/** How items become text that a model reads. */
export type RenderItems = (items: readonly InjectionItem[]) => string;

export interface Taking {
  readonly mailbox: Mailbox;
  readonly agentId: string;
  /** Leaves out what is not meant for this tool's result; absent at a turn's boundary. */
  readonly toolName: string | undefined;
  readonly show: (items: readonly InjectionItem[]) => string | Promise<string>;
  readonly onProblem: (problem: Error) => void;
  /** Characters, for the texts with `gap` characters between them. Default: no bound. */
  readonly room?: number;
  readonly gap?: number;
  /** True: somebody else takes care of it, and it is not to be shown. */
  readonly isKnown?: (lease: Lease) => boolean;
}

export interface TakenItem {
  readonly text: string;
  readonly lease: Lease;
}

/** One answer carries no more than this, however much waits; the next one carries on. */
const MAX_AT_ONCE = 100;

/** Never rejects: what cannot be taken, shown, or fitted in waits on, and problems are told. */
export async function takeItems(taking: Taking): Promise<readonly TakenItem[]> {
  const { room = Number.POSITIVE_INFINITY, gap = 0, isKnown = () => false, onProblem } = taking;
  const taken: TakenItem[] = [];
  // Held until all others have had their turn: given back at once, they would be the next ones again.
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
    tell(onProblem, error);
  }
  return undefined;
}

async function showLease({ items }: Lease, { show, onProblem }: Taking): Promise<string | undefined> {
  try {
    return await show(items);
  } catch (error) {
    tell(onProblem, error);
    return undefined;
  }
}

/** Never rejects; resolves when the mailbox knows. */
export async function endLease(
  lease: Lease,
  how: 'acknowledge' | 'release',
  onProblem: (problem: Error) => void,
): Promise<void> {
  try {
    await lease[how]();
  } catch (error) {
    tell(onProblem, error);
  }
}
