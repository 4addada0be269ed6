/** An async iterator over messages with a bounded memory. */
import { Queue } from '../../base/async/queue.js';
import type { HookMessage } from './hook-messages.js';

const CAPACITY = 4096;
const BATCH = 1024;

export class MessageQueue implements AsyncIterableIterator<HookMessage> {
  readonly #queue: Queue<HookMessage>;
  /** How many messages were given up because nobody read them in time. */
  dropped = 0;

  constructor(onEnd: () => void) {
    const makeRoom = (waiting: readonly HookMessage[]): HookMessage[] => {
      const kept = withoutOldest(waiting);
      this.dropped += waiting.length - kept.length;
      return kept;
    };
    this.#queue = new Queue({ capacity: CAPACITY, makeRoom, onEnd });
  }

  push(message: HookMessage): void {
    this.#queue.push(message);
  }

  next(): Promise<IteratorResult<HookMessage>> {
    return this.#queue.next();
  }

  return(): Promise<IteratorResult<HookMessage>> {
    return this.#queue.return();
  }

  close(): void {
    this.#queue.close();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/**
 * Progress can be missed more easily than a start or an end, so the oldest progress goes first. A whole batch goes at
 * once: a reader that has stopped reading must not make every fire search the queue.
 */
function withoutOldest(messages: readonly HookMessage[]): HookMessage[] {
  let left = BATCH;
  const kept = messages.filter((message) => message.subtype !== 'hook_progress' || left-- <= 0);
  return kept.length < messages.length ? kept : messages.slice(BATCH);
}
