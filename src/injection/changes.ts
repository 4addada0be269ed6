/** Those who are told of changes. Whatever a listener does, the mailbox goes on. */
import { SafeEmitter, warnOnce } from '../base/async/emitter.js';
import type { InjectionChange } from './port.js';

export type ChangeListener = (change: InjectionChange) => void;

export class ChangeFeed {
  readonly #emitter = new SafeEmitter<{ change: ChangeListener }>(
    warnOnce('A listener of injection changes', 'HOOKLINE_LISTENER'),
  );
  readonly #untold: InjectionChange[] = [];
  #isTelling = false;

  /** The same function may listen twice; each of the returned functions ends one of them. */
  add(listener: ChangeListener): () => void {
    const stop = this.#emitter.on('change', listener);
    return () => void stop();
  }

  /** A listener may cause further changes: they are told after these, so that everybody hears of all in one order. */
  tell(changes: readonly InjectionChange[]): void {
    for (const change of changes) this.#untold.push(change);
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (const change of this.#untold) this.#emitter.emit('change', change);
    this.#untold.length = 0;
    this.#isTelling = false;
  }
}
