/**
 * Knows how deep a fire is nested in the hooks of other fires, so that hooks that fire themselves come to an end.
 *
 * A hook that fires before its first await is counted by a plain variable. Behind an await only an
 * AsyncLocalStorage can tell, and merely having one in use doubles the price of every promise in the process; so it
 * is switched on when suspiciously many fires are open at once, and off when all of them have ended.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** More open fires than any honest agent has; a run-away recursion is here within milliseconds. */
const SUSPICIOUS = 512;

/** Honest hooks fire hooks that fire hooks, rarely deeper. */
const LEVELS_UNDER_SUSPICION = 3;

const storage = new AsyncLocalStorage<number>();
let openFires = 0;
let tracking = false;
let currentDepth = 0;

/** The depth that a fire started now would have; 1 for a fire that no hook started. */
export function nextDepth(): number {
  return Math.max(currentDepth, tracking ? (storage.getStore() ?? 0) : 0) + 1;
}

export function enterFire(): void {
  openFires += 1;
}

export function leaveFire(): void {
  openFires -= 1;
  if (openFires === 0 && tracking) {
    tracking = false;
    storage.disable();
  }
}

/**
 * Calls a hook's function so that fires inside it know their depth. Under suspicion only a few levels more are allowed:
 * a recursion that branches would otherwise go on for all the levels that there may be.
 */
export function callAtDepth<A extends unknown[], R>(
  { depth, maxDepth }: { readonly depth: number; readonly maxDepth: number },
  call: (...args: A) => R,
  ...args: A
): R {
  const outer = currentDepth;
  currentDepth = depth;
  try {
    if (openFires <= SUSPICIOUS) return call(...args);
    tracking = true;
    return storage.run(Math.max(depth, maxDepth - LEVELS_UNDER_SUSPICION), call, ...args);
  } finally {
    currentDepth = outer;
  }
}
