/** Ties fires to the AbortSignals they were given: one listener per signal, however many fires share it. */
import type { Cancellation } from '../hooks/cancellation.js';
import { PlacedSet } from '../process/placed-set.js';

interface Tie {
  readonly cancellations: PlacedSet<Cancellation>;
  readonly onAbort: () => void;
}

/** Kept as long as its signal: a session's signal is tied and untied by every fire. */
const ties = new WeakMap<AbortSignal, Tie>();

/** Cancels with the signal until `untie` is called. Contract: a cancellation is tied to one signal at a time. */
export function tie(signal: AbortSignal, cancellation: Cancellation): void {
  const known = ties.get(signal) ?? makeTie(signal);
  if (known.cancellations.size === 0) signal.addEventListener('abort', known.onAbort);
  known.cancellations.add(cancellation);
}

/** The last one to leave removes the listener. Harmless for one that is not tied. */
export function untie(signal: AbortSignal, cancellation: Cancellation): void {
  const known = ties.get(signal);
  if (known?.cancellations.delete(cancellation) && known.cancellations.size === 0)
    signal.removeEventListener('abort', known.onAbort);
}

function makeTie(signal: AbortSignal): Tie {
  const cancellations = new PlacedSet<Cancellation>();
  const onAbort = (): void => {
    signal.removeEventListener('abort', onAbort);
    for (const cancellation of cancellations.takeAll()) cancellation.cancel();
  };
  const made = { cancellations, onAbort };
  ties.set(signal, made);
  return made;
}
