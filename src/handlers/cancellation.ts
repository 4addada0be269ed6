/** Ends a fire early: because of its signal, or because the runner is disposed. */
import { type Indexed, NO_INDEX } from '../base/async/indexed-set.js';

/** A listener for a cancellation: a function, or an object that implements it without an extra closure. */
export interface Cancellable {
  onCancel(): void;
}

type Listener = (() => void) | Cancellable;

/**
 * Cheaper than an AbortSignal, which costs microseconds to create and to listen to; a fire creates one only if a hook
 * asks for it. Contract: listeners are called once, in the order they were added; after `cancel` none is added.
 */
export class Cancellation implements Indexed {
  declare cancelled: boolean;
  /** Its index in the set that one signal cancels. */
  declare place: number;
  /** Hooks mostly run one at a time, and one listener needs no set. */
  declare private only: Listener | undefined;
  declare private listeners: Set<Listener> | undefined;

  constructor() {
    this.cancelled = false;
    this.place = NO_INDEX;
    this.only = undefined;
    this.listeners = undefined;
  }

  add(listener: Listener): void {
    if (this.listeners !== undefined) this.listeners.add(listener);
    else if (this.only === undefined) this.only = listener;
    else this.listeners = new Set([this.only, listener]);
  }

  remove(listener: Listener): void {
    if (this.only === listener) this.only = undefined;
    this.listeners?.delete(listener);
  }

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    const listeners = this.listeners ?? (this.only === undefined ? [] : [this.only]);
    this.only = undefined;
    this.listeners = undefined;
    for (const listener of listeners) {
      if (typeof listener === 'function') listener();
      else listener.onCancel();
    }
  }
}

/** A cancellation that has already happened. */
export const CANCELLED: Cancellation = new Cancellation();
CANCELLED.cancel();
