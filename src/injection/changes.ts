/** Emits changes to listeners. A listener that throws does not affect the mailbox. */
import { SafeEmitter, warnOnce } from '../base/async/emitter.js';
import type { InjectionChange } from './port.js';

export type ChangeListener = (change: InjectionChange) => void;

export class ChangeFeed {
  readonly #emitter = new SafeEmitter<{ change: ChangeListener }>(
    warnOnce('A listener of injection changes', 'HOOKLINE_LISTENER'),
  );
  readonly #queue: InjectionChange[] = [];
  #isEmitting = false;

  /** The same function may be added twice; each returned function removes one registration. */
  add(listener: ChangeListener): () => void {
    const stop = this.#emitter.on('change', listener);
    return () => void stop();
  }

  /**
   * Changes caused by a listener are emitted after the current ones, so that every listener gets all changes in one
   * order.
   */
  emit(changes: readonly InjectionChange[]): void {
    for (const change of changes) this.#queue.push(change);
    if (this.#isEmitting) return;
    this.#isEmitting = true;
    for (const change of this.#queue) this.#emitter.emit('change', change);
    this.#queue.length = 0;
    this.#isEmitting = false;
  }
}
