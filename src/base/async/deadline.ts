/** The two clocks of a run: the deadline while it lives, and the drain after it exited. */

export interface Deadline {
  restart(ms: number): void;
  cancel(): void;
}

/**
 * Calls `onPassed` once. When the event loop was blocked, the timer is served before the exit that happened in
 * time is even seen, so the judgement waits for one more look at the system (`setImmediate` runs after polling).
 */
export function startDeadline(ms: number, onPassed: () => void): Deadline {
  let lastLook: NodeJS.Immediate | undefined;
  let timer = arm(ms);

  function arm(delay: number): NodeJS.Timeout {
    return setTimeout(() => {
      lastLook = setImmediate(onPassed);
    }, delay);
  }
  function cancel(): void {
    clearTimeout(timer);
    if (lastLook) clearImmediate(lastLook);
  }
  return {
    restart(delay) {
      cancel();
      timer = arm(delay);
    },
    cancel,
  };
}

export interface Drain {
  /** A chunk came: the silence starts anew. */
  seen(): void;
  cancel(): void;
}

/** Calls `onQuiet` once, after `graceMs` without a chunk, or after `capMs` in any case. */
export function startDrain(graceMs: number, capMs: number, onQuiet: () => void): Drain {
  let lastLook: NodeJS.Immediate | undefined;
  const cap = setTimeout(finish, capMs);
  const grace = setTimeout(() => {
    lastLook = setImmediate(finish);
  }, graceMs);

  function cancel(): void {
    clearTimeout(cap);
    clearTimeout(grace);
    if (lastLook) clearImmediate(lastLook);
  }
  function finish(): void {
    cancel();
    onQuiet();
  }
  return {
    seen() {
      if (lastLook) clearImmediate(lastLook);
      grace.refresh();
    },
    cancel,
  };
}
