/** Ties fires to the AbortSignals they were given: one listener per signal, however many fires share it. */
import type { Cancellation } from '../hooks/cancellation.js';

interface Tie {
  readonly cancellations: Set<Cancellation>;
  readonly onAbort: () => void;
}

const ties = new WeakMap<AbortSignal, Tie>();

/** Cancels with the signal until `untie` is called. The last one to leave removes the listener. */
export function tie(signal: AbortSignal, cancellation: Cancellation): void {
  const known = ties.get(signal);
  if (known !== undefined) {
    known.cancellations.add(cancellation);
    return;
  }
  const cancellations = new Set([cancellation]);
  const onAbort = (): void => {
    ties.delete(signal);
    for (const each of cancellations) each.cancel();
  };
  ties.set(signal, { cancellations, onAbort });
  signal.addEventListener('abort', onAbort, { once: true });
}

export function untie(signal: AbortSignal, cancellation: Cancellation): void {
  const known = ties.get(signal);
  if (known === undefined) return;
  known.cancellations.delete(cancellation);
  if (known.cancellations.size > 0) return;
  ties.delete(signal);
  signal.removeEventListener('abort', known.onAbort);
}
