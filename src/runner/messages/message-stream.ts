/** The stream of hook messages. A listener that throws never affects the fire. */
import { SafeEmitter, warnOnce } from '../../base/async/emitter.js';
import { Queue } from '../../base/async/queue.js';
import type { HookMessage, MessageListeners } from './hook-messages.js';

export type OnListenerError = (error: Error, message: HookMessage) => void;

export class MessageStream implements AsyncIterable<HookMessage> {
  readonly #emitter: SafeEmitter<MessageListeners>;
  readonly #queues = new Set<MessageQueue>();
  #closed = false;

  constructor(
    onListenerError: OnListenerError = warnOnce('A listener of hook messages', 'HOOKLINE_LISTENER'),
  ) {
    this.#emitter = new SafeEmitter(onListenerError);
  }

  /** Whether anyone receives messages; without listeners none is created. */
  get watched(): boolean {
    return this.#emitter.size > 0;
  }

  /** Listens until the returned function is called. */
  on<K extends keyof MessageListeners>(kind: K, listener: MessageListeners[K]): () => void {
    const stop = this.#emitter.on(kind, listener);
    return () => void stop();
  }

  emit(message: HookMessage): void {
    // All listeners get the same object, so it is frozen.
    Object.freeze(message);
    this.#emitter.emit(message.subtype, message as never);
    this.#emitter.emit('message', message);
  }

  /** All messages from now on. A reader that falls behind loses the oldest ones, so that memory stays bounded. */
  [Symbol.asyncIterator](): MessageQueue {
    const queue: MessageQueue = new MessageQueue(() => {
      stop();
      this.#queues.delete(queue);
    });
    const stop = this.on('message', (message) => queue.push(message));
    this.#queues.add(queue);
    if (this.#closed) queue.close();
    return queue;
  }

  /** Ends all iterators; messages that are already queued can still be read. */
  close(): void {
    this.#closed = true;
    for (const queue of this.#queues) queue.close();
  }
}

const CAPACITY = 4096;
const BATCH = 1024;

class MessageQueue implements AsyncIterableIterator<HookMessage> {
  readonly #queue: Queue<HookMessage>;
  /** The number of messages dropped because they were not read in time. */
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
 * Losing progress matters less than losing a start or an end, so the oldest progress messages are dropped first. A
 * whole batch is dropped at once: a reader that has stopped must not make every fire search the queue.
 */
function withoutOldest(messages: readonly HookMessage[]): HookMessage[] {
  let left = BATCH;
  const kept = messages.filter((message) => message.subtype !== 'hook_progress' || left-- <= 0);
  return kept.length < messages.length ? kept : messages.slice(BATCH);
}
