/** Lets at most so many run at once; the others wait in order, the urgent ones first, can be cancelled, and are never lost. */

export const DEFAULT_CONCURRENCY = 16;

/** Gives the slot back. Calling it again does nothing. */
export type Release = () => void;

export interface SlotRequest {
  /** The slot's release, or undefined when the request was cancelled before its turn. Never rejects. */
  readonly granted: Promise<Release | undefined>;
  /** Whether no slot was free when it was asked for. */
  readonly queued: boolean;
  /** True when it was still waiting: it then never gets a slot. */
  cancel(): boolean;
}

export interface Limiter {
  readonly limit: number;
  readonly active: number;
  readonly waiting: number;
  /** Urgent requests are granted before all others, however long those have waited. */
  acquire(urgent?: boolean): SlotRequest;
}

type Grant = (release: Release | undefined) => void;

export function createLimiter(limit: number = DEFAULT_CONCURRENCY): Limiter {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`A concurrency limit is a whole number from 1 on; got ${String(limit)}.`);
  }
  // A Set keeps the order of insertion and forgets a cancelled entry in constant time.
  const urgentQueue = new Set<Grant>();
  const queue = new Set<Grant>();
  let active = 0;

  function takeSlot(): Release {
    active++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      active--;
      const from = urgentQueue.size > 0 ? urgentQueue : queue;
      const [next] = from;
      if (!next) return;
      from.delete(next);
      next(takeSlot());
    };
  }

  return {
    limit,
    get active() {
      return active;
    },
    get waiting() {
      return urgentQueue.size + queue.size;
    },
    acquire(urgent = false) {
      if (active < limit) return { granted: Promise.resolve(takeSlot()), queued: false, cancel: () => false };
      const own = urgent ? urgentQueue : queue;
      let grant: Grant = () => {};
      const granted = new Promise<Release | undefined>((resolve) => {
        grant = resolve;
      });
      own.add(grant);
      return {
        granted,
        queued: true,
        cancel() {
          if (!own.delete(grant)) return false;
          grant(undefined);
          return true;
        },
      };
    },
  };
}
