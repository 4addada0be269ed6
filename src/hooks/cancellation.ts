/** The one way a fire is ended early: by its signal, or because the runner is disposed. */

/**
 * An AbortSignal costs microseconds to make and to listen to; a fire needs neither unless a hook asks for one.
 * Contract: listeners are called once, in the order they were added; after `cancel` nothing is added any more.
 */
export class Cancellation {
  #listeners: Set<() => void> | undefined;
  cancelled = false;

  add(listener: () => void): void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  remove(listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    if (listeners !== undefined) for (const listener of listeners) listener();
  }
}

/** One that has already happened. */
export const CANCELLED: Cancellation = new Cancellation();
CANCELLED.cancel();
