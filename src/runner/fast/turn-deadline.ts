/**
 * Deadlines for work that nearly always ends before the event loop turns.
 *
 * Setting and clearing a timer costs more than the rest of calling a function and reading its answer. No timer can
 * fire before the microtasks have run, so none is set until then: work that has ended by that time never needed one.
 */

import { afterMicrotasks } from '../../base/async/after-microtasks.js';
import { type Indexed, IndexedSet } from '../../base/async/indexed-set.js';

/** Work with a deadline. `place` and `timer` belong to the functions below. */
export interface Timed extends Indexed {
  timer: NodeJS.Timeout | undefined;
  /** Milliseconds until the deadline; undefined: nothing to time at the moment. */
  timeLeft(): number | undefined;
  /** Called once, unless `stopTiming` was called before. */
  onDeadline(): void;
}

/** Work without a timer yet. */
const fresh = new IndexedSet<Timed>();
let armingSoon = false;

export function startTiming(work: Timed): void {
  fresh.add(work);
  if (armingSoon) return;
  armingSoon = true;
  afterMicrotasks(armFresh);
}

/** Does nothing if the time is already over. */
export function stopTiming(work: Timed): void {
  fresh.delete(work);
  if (work.timer === undefined) return;
  clearTimeout(work.timer);
  work.timer = undefined;
}

function armFresh(): void {
  armingSoon = false;
  if (fresh.size === 0) return;
  for (const work of fresh.takeAll()) {
    const left = work.timeLeft();
    if (left !== undefined) work.timer = setTimeout(expire, Math.max(1, Math.ceil(left)), work);
  }
}

function expire(work: Timed): void {
  work.timer = undefined;
  work.onDeadline();
}
