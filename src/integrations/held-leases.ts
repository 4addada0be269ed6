/**
 * Leases of items that were handed to a host, until it is known whether a model was sent them. Used by hosts that own
 * the conversation: the item is in it, and the answer of the model proves that it was read.
 */
import type { Lease } from '../injection/port.js';
import { endLease } from './take-items.js';

interface Held<Place> {
  readonly lease: Lease;
  readonly id: string | undefined;
  readonly place: Place;
}

/** Number of sent items that are remembered. */
const MAX_REMEMBERED = 1000;

/** `Place`: what the host needs to decide later whether the item was sent. One item per lease. */
export class HeldLeases<Place> {
  readonly #onProblem: (problem: Error) => void;
  readonly #ending = new Set<Promise<void>>();
  readonly #sent = new Set<string | undefined>();
  #held: Held<Place>[] = [];

  constructor(onProblem: (problem: Error) => void) {
    this.#onProblem = onProblem;
  }

  add(lease: Lease, place: Place): void {
    this.#held.push({ lease, id: lease.items[0]?.id, place });
  }

  /**
   * When a lease expires, its item is queued again although it may have been sent; it must not be delivered twice.
   * Returns true if the lease belongs to such an item; it then replaces the old lease.
   */
  absorb(lease: Lease): boolean {
    const id = lease.items[0]?.id;
    if (this.#sent.has(id)) {
      this.end(lease, 'acknowledge');
      return true;
    }
    const known = this.#held.find((held) => held.id === id);
    if (known === undefined) return false;
    this.#held = this.#held.map((held) => (held === known ? { ...known, lease } : held));
    return true;
  }

  /** Acknowledges the items that were sent. */
  acknowledge(wasSent: (place: Place) => boolean): void {
    const sent = this.#held.filter(({ place }) => wasSent(place));
    if (sent.length === 0) return;
    this.#held = this.#held.filter((held) => !sent.includes(held));
    for (const { lease, id } of sent) {
      this.#sent.add(id);
      this.end(lease, 'acknowledge');
    }
    for (const id of this.#sent) {
      if (this.#sent.size <= MAX_REMEMBERED) break;
      this.#sent.delete(id);
    }
  }

  /** Releases the items that were not sent for certain. */
  release(wasNotSent: (place: Place) => boolean): void {
    const released = this.#held.filter(({ place }) => wasNotSent(place));
    this.#held = this.#held.filter((held) => !released.includes(held));
    for (const { lease } of released) this.end(lease, 'release');
  }

  end(lease: Lease, how: 'acknowledge' | 'release'): void {
    const ending = endLease(lease, how, this.#onProblem).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Resolves when the mailbox has processed everything. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }
}
