/** Links fires to the AbortSignals they were given: one listener per signal, however many fires share it. */

import { afterMicrotasks } from '../../base/async/after-microtasks.js';
import { IndexedSet } from '../../base/async/indexed-set.js';
import type { Cancellation } from '../../handlers/cancellation.js';

interface Tie {
  readonly signal: AbortSignal;
  readonly cancellations: IndexedSet<Cancellation>;
  readonly onAbort: () => void;
  listening: boolean;
  /** Whether it is listed in `left`. */
  leaving: boolean;
}

/** Kept as long as the signal: every fire of a session links and unlinks the session's signal. */
const ties = new WeakMap<AbortSignal, Tie>();

/** Links that had no fire left when they were added here. */
let left: Tie[] = [];

/**
 * Cancels when the signal aborts, until `unlinkSignal` is called. Contract: a cancellation is linked to one signal at
 * a time.
 */
export function linkSignal(signal: AbortSignal, cancellation: Cancellation): void {
  const known = ties.get(signal) ?? makeTie(signal);
  if (!known.listening) {
    known.listening = true;
    signal.addEventListener('abort', known.onAbort);
  }
  known.cancellations.add(cancellation);
}

/** Does nothing if it is not linked. */
export function unlinkSignal(signal: AbortSignal, cancellation: Cancellation): void {
  const known = ties.get(signal);
  if (!known?.cancellations.delete(cancellation) || known.cancellations.size > 0 || known.leaving) return;
  known.leaving = true;
  if (left.push(known) === 1) afterMicrotasks(stopListening);
}

/**
 * The next fire of a session often follows at once, so listeners are removed only when the event loop turns without
 * one.
 */
function stopListening(): void {
  const all = left;
  left = [];
  for (const known of all) {
    known.leaving = false;
    if (known.cancellations.size > 0) continue;
    known.listening = false;
    known.signal.removeEventListener('abort', known.onAbort);
  }
}

function makeTie(signal: AbortSignal): Tie {
  const cancellations = new IndexedSet<Cancellation>();
  const onAbort = (): void => {
    made.listening = false;
    signal.removeEventListener('abort', onAbort);
    for (const cancellation of cancellations.takeAll()) cancellation.cancel();
  };
  const made: Tie = { signal, cancellations, onAbort, listening: false, leaving: false };
  ties.set(signal, made);
  return made;
}
