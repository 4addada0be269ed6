/**
 * Knows how deep a fire is nested in the hooks of other fires, so that hooks that fire themselves come to an end.
 *
 * A hook that fires before its first await is counted by a plain variable. Behind an await only an AsyncLocalStorage can
 * tell, and merely having one in use doubles the price of every promise in the process. So none is in use while so few
 * fires are open that none can be too deep: until then a fire counts as nested in all that were open before.
 */
import { AsyncLocalStorage, executionAsyncId } from 'node:async_hooks';

/** Fires that only overlap count as nested in each other at first: so many levels are left for what is nested in them. */
const LEVELS_TO_SPARE = 3;
/** Up to here every fire counts as a level. Which of them cannot be nested in each other costs a microtask to find out. */
const LEVELS_FOR_FREE = 2;

/** Open fires that one run of synchronous code has started: none is nested in another of them behind an await. */
export interface Batch {
  open: number;
  /** The depth of what started them. */
  readonly base: number;
  /** How many of them are nested in each other, before an await. */
  levels: number;
  readonly startedIn: number;
}

/** For a fire that is a level of its own. */
const SINGLE: Batch = Object.freeze({ open: 1, base: 0, levels: 1, startedIn: 0 });

let openFires = 0;
/** How many levels the open fires may have whose hooks are not followed behind an await. */
let unfollowed = 0;
/** The last one, until a microtask runs that was put off after it began. */
let lastBatch: Batch | undefined;
/** In use while hooks are followed: the depth of the fire whose hook is running. */
let storage: AsyncLocalStorage<number> | undefined;
let currentDepth = 0;

/** The depth of a fire that is started now; 1 for a fire that no hook started. At most `maxDepth` if that is in doubt. */
export function nextDepth(maxDepth: number): number {
  if (currentDepth > 0) return currentDepth + 1;
  if (openFires === 0) return 1;
  return (storage?.getStore() ?? Math.min(currentBatch()?.base ?? unfollowed, mostUnfollowed(maxDepth))) + 1;
}

function mostUnfollowed(maxDepth: number): number {
  return Math.max(0, maxDepth - 1 - LEVELS_TO_SPARE);
}

/** Returns what `leaveFire` wants back: undefined if the hooks of the fire are followed. */
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

/** Of the code that runs now. What hooks of its fires put off runs as a later microtask, or in another callback of Node's. */
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
/** At most three arguments, by name: a list of them would be made anew for every call. */
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
