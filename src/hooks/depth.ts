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
/** Many fires that were all started in one go are no recursion, which needs one go for every level; up to here. */
const CROWD = 4096;
/** Fewer than this are not worth counting in how many goes they were started. */
const FEW = 64;

/** Honest hooks fire hooks that fire hooks, rarely deeper. */
const LEVELS_UNDER_SUSPICION = 3;

const storage = new AsyncLocalStorage<number>();
let openFires = 0;
/** In how many goes the fires beyond the first few were started. A go ends when the microtasks before it have run. */
let goes = 0;
let withinGo = false;
let tracking = false;
let currentDepth = 0;

/** The depth that a fire started now would have; 1 for a fire that no hook started. */
export function nextDepth(): number {
  return (tracking ? trackedDepth() : currentDepth) + 1;
}

function trackedDepth(): number {
  return Math.max(currentDepth, storage.getStore() ?? 0);
}

export function enterFire(): void {
  openFires += 1;
  if (openFires > FEW && !withinGo) beginGo();
}

export function leaveFire(): void {
  openFires -= 1;
  if (openFires === FEW) goes = 0;
  if (openFires === 0 && tracking) stopTracking();
}

function stopTracking(): void {
  tracking = false;
  storage.disable();
}

function beginGo(): void {
  withinGo = true;
  goes += 1;
  queueMicrotask(endGo);
}

function endGo(): void {
  withinGo = false;
}

function isSuspicious(): boolean {
  return openFires > SUSPICIOUS && (goes > 1 || openFires > CROWD);
}

/**
 * Calls a hook's function so that fires inside it know their depth. Under suspicion only a few levels more are allowed:
 * a recursion that branches would otherwise go on for all the levels that there may be.
 */
export function callAtDepth<A extends unknown[], R>(
  at: { readonly depth: number; readonly maxDepth: number },
  call: (...args: A) => R,
  ...args: A
): R;
/** At most three arguments, by name: a list of them would be made anew for every call. */
export function callAtDepth(
  { depth, maxDepth }: { readonly depth: number; readonly maxDepth: number },
  call: (...args: readonly unknown[]) => unknown,
  a?: unknown,
  b?: unknown,
  c?: unknown,
): unknown {
  const outer = currentDepth;
  currentDepth = depth;
  try {
    return isSuspicious() ? track(depth, maxDepth, () => call(a, b, c)) : call(a, b, c);
  } finally {
    currentDepth = outer;
  }
}

function track(depth: number, maxDepth: number, call: () => unknown): unknown {
  tracking = true;
  return storage.run(Math.max(depth, maxDepth - LEVELS_UNDER_SUSPICION), call);
}
