/** An async iterator over messages with a bounded memory. */
import type { HookMessage } from './hook-messages.js';

const CAPACITY = 4096;
const BATCH = 1024;

export class MessageQueue implements AsyncIterableIterator<HookMessage> {
  #messages: HookMessage[] = [];
  readonly #waiting: ((result: IteratorResult<HookMessage>) => void)[] = [];
  readonly #onEnd: () => void;
  #closed = false;
  /** How many messages were given up because nobody read them in time. */
  dropped = 0;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  push(message: HookMessage): void {
    if (this.#closed) return;
    const reader = this.#waiting.shift();
    if (reader === undefined) this.#messages.push(message);
    else reader({ value: message, done: false });
    if (this.#messages.length > CAPACITY) this.#makeRoom();
  }

  async next(): Promise<IteratorResult<HookMessage>> {
    const message = this.#messages.shift();
    if (message !== undefined) return { value: message, done: false };
    if (this.#closed) return { value: undefined, done: true };
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async return(): Promise<IteratorResult<HookMessage>> {
    this.#messages = [];
    this.close();
    return { value: undefined, done: true };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onEnd();
    for (const reader of this.#waiting.splice(0)) reader({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Progress can be missed more easily than a start or an end, so the oldest progress goes first. A whole batch goes at
   * once: a reader that has stopped reading must not make every fire search the queue.
   */
  #makeRoom(): void {
    const before = this.#messages.length;
    let left = BATCH;
    this.#messages = this.#messages.filter((message) => message.subtype !== 'hook_progress' || left-- <= 0);
    if (this.#messages.length === before) this.#messages = this.#messages.slice(BATCH);
    this.dropped += before - this.#messages.length;
  }
}
