/** Those who are told of changes. Whatever a listener does, the mailbox goes on. */
import { messageOf } from '../base/errors.js';
import type { InjectionChange } from './port.js';

export type ChangeListener = (change: InjectionChange) => void;

export class ChangeFeed {
  readonly #listeners = new Set<{ readonly tell: ChangeListener }>();
  readonly #untold: InjectionChange[] = [];
  #isTelling = false;
  #warned = false;

  /** The same function may listen twice; each of the returned functions ends one of them. */
  add(tell: ChangeListener): () => void {
    const listener = { tell };
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** A listener may cause further changes: they are told after these, so that everybody hears of all in one order. */
  tell(changes: readonly InjectionChange[]): void {
    for (const change of changes) this.#untold.push(change);
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (const change of this.#untold) {
      for (const { tell } of [...this.#listeners]) this.#call(tell, change);
    }
    this.#untold.length = 0;
    this.#isTelling = false;
  }

  #call(tell: ChangeListener, change: InjectionChange): void {
    try {
      const returned: unknown = tell(change);
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#warn(error));
    } catch (error) {
      this.#warn(error);
    }
  }

  /** Said once through the process, so that it is not lost, and then no more. */
  #warn(error: unknown): void {
    if (this.#warned) return;
    this.#warned = true;
    process.emitWarning(`A listener of injection changes failed: ${messageOf(error)}`, {
      code: 'HOOKLINE_LISTENER',
    });
  }
}
