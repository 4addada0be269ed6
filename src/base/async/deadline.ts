/** The two timers of a run: the deadline while it runs, and the drain of its output after it exits. */

export interface Deadline {
  restart(ms: number): void;
  cancel(): void;
}

/**
 * Calls `onPassed` once. If the event loop was blocked, the timer fires before Node sees an exit that happened in time,
 * so the callback waits for one more poll (`setImmediate` runs after polling).
 */
export function startDeadline(ms: number, onPassed: () => void): Deadline {
  let lastPoll: NodeJS.Immediate | undefined;
  let timer = arm(ms);

  function arm(delay: number): NodeJS.Timeout {
    return setTimeout(() => {
      lastPoll = setImmediate(onPassed);
    }, delay);
  }
  function cancel(): void {
    clearTimeout(timer);
    if (lastPoll) clearImmediate(lastPoll);
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
  /** A chunk arrived: restarts the grace period. */
  seen(): void;
  cancel(): void;
}

/** Calls `onQuiet` once: after `graceMs` without a chunk, or after `capMs` at the latest. */
export function startDrain(graceMs: number, capMs: number, onQuiet: () => void): Drain {
  let lastPoll: NodeJS.Immediate | undefined;
  const cap = setTimeout(finish, capMs);
  const grace = setTimeout(() => {
    lastPoll = setImmediate(finish);
  }, graceMs);

  function cancel(): void {
    clearTimeout(cap);
    clearTimeout(grace);
    if (lastPoll) clearImmediate(lastPoll);
  }
  function finish(): void {
    cancel();
    onQuiet();
  }
  return {
    seen() {
      if (lastPoll) clearImmediate(lastPoll);
      grace.refresh();
    },
    cancel,
  };
}
