/** Ties fires to the AbortSignals they were given: one listener per signal, however many fires share it. */

import { afterMicrotasks } from '../../base/async/after-microtasks.js';
import { IndexedSet } from '../../base/async/indexed-set.js';
import type { Cancellation } from '../../handlers/cancellation.js';

interface Tie {
  readonly signal: AbortSignal;
  readonly cancellations: IndexedSet<Cancellation>;
  readonly onAbort: () => void;
  listening: boolean;
  /** Among `left`. */
  leaving: boolean;
}

/** Kept as long as its signal: a session's signal is tied and untied by every fire. */
const ties = new WeakMap<AbortSignal, Tie>();

/** Ties that nobody used any more when they were put here. */
let left: Tie[] = [];

/** Cancels with the signal until `unlinkSignal` is called. Contract: a cancellation is tied to one signal at a time. */
export function linkSignal(signal: AbortSignal, cancellation: Cancellation): void {
  const known = ties.get(signal) ?? makeTie(signal);
  if (!known.listening) {
    known.listening = true;
    signal.addEventListener('abort', known.onAbort);
  }
  known.cancellations.add(cancellation);
}

/** Harmless for one that is not tied. */
export function unlinkSignal(signal: AbortSignal, cancellation: Cancellation): void {
  const known = ties.get(signal);
  if (!known?.cancellations.delete(cancellation) || known.cancellations.size > 0 || known.leaving) return;
  known.leaving = true;
  if (left.push(known) === 1) afterMicrotasks(stopListening);
}

/** A session's next fire often comes at once: listeners stay until it is clear that it does not. */
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
