/**
 * Limits how many tasks run at once. The others wait in order, urgent ones first; a waiting request can be cancelled.
 */

export const DEFAULT_CONCURRENCY = 16;

/** Releases the slot. Further calls do nothing. */
export type Release = () => void;

export interface SlotRequest {
  /** Resolves to the slot's release, or to undefined if the request was cancelled while waiting. Never rejects. */
  readonly granted: Promise<Release | undefined>;
  /** Whether the request had to wait because no slot was free. */
  readonly queued: boolean;
  /** Returns true if the request was still waiting; it then never gets a slot. */
  cancel(): boolean;
}

export interface Limiter {
  readonly limit: number;
  readonly active: number;
  readonly waiting: number;
  /** Urgent requests are granted before all others, no matter how long those have waited. */
  acquire(urgent?: boolean): SlotRequest;
}

type Grant = (release: Release | undefined) => void;

export function createLimiter(limit: number = DEFAULT_CONCURRENCY): Limiter {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`A concurrency limit is a whole number from 1 on; got ${String(limit)}.`);
  }
  // A Set keeps insertion order and removes a cancelled entry in constant time.
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
