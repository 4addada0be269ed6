/** Lets at most so many run at once; the others wait in order, can be cancelled, and are never lost. */

export const DEFAULT_CONCURRENCY = 16;

/** Gives the slot back. Calling it again does nothing. */
export type Release = () => void;

export interface SlotRequest {
  /** The slot's release, or undefined when the request was cancelled before its turn. Never rejects. */
  readonly granted: Promise<Release | undefined>;
  /** True when it was still waiting: it then never gets a slot. */
  cancel(): boolean;
}

export interface Limiter {
  readonly active: number;
  readonly waiting: number;
  acquire(): SlotRequest;
}

export function createLimiter(limit: number = DEFAULT_CONCURRENCY): Limiter {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new RangeError(`A concurrency limit is a whole number from 1 on; got ${String(limit)}.`);
  }
  // A Set keeps the order of insertion and forgets a cancelled entry in constant time.
  const queue = new Set<(release: Release | undefined) => void>();
  let active = 0;

  function takeSlot(): Release {
    active++;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      active--;
      const [next] = queue;
      if (!next) return;
      queue.delete(next);
      next(takeSlot());
    };
  }

  return {
    get active() {
      return active;
    },
    get waiting() {
      return queue.size;
    },
    acquire() {
      if (active < limit) return { granted: Promise.resolve(takeSlot()), cancel: () => false };
      let grant: (release: Release | undefined) => void = () => {};
      const granted = new Promise<Release | undefined>((resolve) => {
        grant = resolve;
      });
      queue.add(grant);
      return {
        granted,
        cancel() {
          if (!queue.delete(grant)) return false;
          grant(undefined);
          return true;
        },
      };
    },
  };
}
