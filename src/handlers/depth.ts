/**
 * Tracks how deeply a fire is nested in the hooks of other fires, so that recursion ends.
 *
 * A hook that fires before its first await is counted by a plain variable. Behind an await only an AsyncLocalStorage
 * can tell, and merely having one in use doubles the cost of every promise in the process. So none is in use while
 * too few fires are open for any to be too deep: until then a fire counts as nested in all fires that were open
 * before it.
 */
import { AsyncLocalStorage, executionAsyncId } from 'node:async_hooks';

/** Fires that only overlap count as nested at first: this many levels remain for fires that really are nested. */
const LEVELS_TO_SPARE = 3;
/** Up to here every fire counts as a level, because finding out which ones cannot be nested costs a microtask. */
const LEVELS_FOR_FREE = 2;

/** Open fires that one run of synchronous code has started: none of them is nested in another one behind an await. */
export interface Batch {
  open: number;
  /** The depth of the code that started them. */
  readonly base: number;
  /** How many of them are nested in each other, before an await. */
  levels: number;
  readonly startedIn: number;
}

/** For a fire that is a level of its own. */
const SINGLE: Batch = Object.freeze({ open: 1, base: 0, levels: 1, startedIn: 0 });

let openFires = 0;
/** An upper bound of the levels of open fires whose hooks are not tracked behind an await. */
let unfollowed = 0;
/** The most recent batch, until the first microtask that was queued after it started. */
let lastBatch: Batch | undefined;
/** Set while hooks are tracked: the depth of the fire whose hook is running. */
let storage: AsyncLocalStorage<number> | undefined;
let currentDepth = 0;

/** The depth of a fire that starts now; 1 for a fire that no hook started. If in doubt, at most `maxDepth`. */
export function nextDepth(maxDepth: number): number {
  if (currentDepth > 0) return currentDepth + 1;
  if (openFires === 0) return 1;
  return (storage?.getStore() ?? Math.min(currentBatch()?.base ?? unfollowed, mostUnfollowed(maxDepth))) + 1;
}

function mostUnfollowed(maxDepth: number): number {
  return Math.max(0, maxDepth - 1 - LEVELS_TO_SPARE);
}

/** Returns the argument for `leaveFire`: undefined if the hooks of the fire are tracked. */
export function enterFire(depth: number, maxDepth: number): Batch | undefined {
  openFires += 1;
  if (storage === undefined && depth > mostUnfollowed(maxDepth)) storage = new AsyncLocalStorage();
  if (storage !== undefined) return undefined;
  if (unfollowed >= LEVELS_FOR_FREE) return joinBatch(depth);
  unfollowed += 1;
  return SINGLE;
}

function joinBatch(depth: number): Batch {
  const joined = currentBatch() ?? beginBatch(depth - 1);
  const more = Math.max(0, depth - joined.base - joined.levels);
  joined.open += 1;
  joined.levels += more;
  unfollowed += more;
  return joined;
}

/** The batch of the code that runs now. Code that its hooks defer runs in a later microtask or callback. */
function currentBatch(): Batch | undefined {
  if (lastBatch === undefined) return undefined;
  return lastBatch.startedIn === executionAsyncId() ? lastBatch : undefined;
}

function beginBatch(base: number): Batch {
  lastBatch = { open: 0, base, levels: 0, startedIn: executionAsyncId() };
  queueMicrotask(endBatch);
  return lastBatch;
}

function endBatch(): void {
  lastBatch = undefined;
}

export function leaveFire(batch: Batch | undefined): void {
  openFires -= 1;
  if (batch === SINGLE) unfollowed -= 1;
  else if (batch !== undefined) leaveBatch(batch);
  if (storage !== undefined && openFires === 0) stopFollowing(storage);
}

function leaveBatch(batch: Batch): void {
  batch.open -= 1;
  if (batch.open > 0) return;
  unfollowed -= batch.levels;
  if (batch === lastBatch) endBatch();
}

function stopFollowing(used: AsyncLocalStorage<number>): void {
  used.disable();
  storage = undefined;
}

/** Calls a hook's function so that fires inside it know their depth. */
export function callAtDepth<A extends unknown[], R>(depth: number, call: (...args: A) => R, ...args: A): R;
/** At most three arguments, by name: a rest parameter would allocate for every call. */
export function callAtDepth(
  depth: number,
  call: (...args: readonly unknown[]) => unknown,
  a?: unknown,
  b?: unknown,
  c?: unknown,
): unknown {
  const outer = currentDepth;
  currentDepth = depth;
  try {
    return storage === undefined ? call(a, b, c) : storage.run(depth, call, a, b, c);
  } finally {
    currentDepth = outer;
  }
}
