/** Where messages are listened to. Whatever a listener does, the fire it listens to goes on. */
import { SafeEmitter, warnOnce } from '../../base/async/emitter.js';
import type { HookMessage, MessageListeners } from './hook-messages.js';
import { MessageQueue } from './message-queue.js';

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

  /** Whether anybody would notice a message; without listeners none is made. */
  get watched(): boolean {
    return this.#emitter.size > 0;
  }

  /** Listens until the returned function is called. */
  on<K extends keyof MessageListeners>(kind: K, listener: MessageListeners[K]): () => void {
    const stop = this.#emitter.on(kind, listener);
    return () => void stop();
  }

  emit(message: HookMessage): void {
    // All listeners get the same object, so none of them may change it.
    Object.freeze(message);
    this.#emitter.emit(message.subtype, message as never);
    this.#emitter.emit('message', message);
  }

  /** All messages from now on. A reader that falls behind loses the oldest ones, never the memory of the process. */
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

  /** Ends all iterators; what they hold can still be read. */
  close(): void {
    this.#closed = true;
    for (const queue of this.#queues) queue.close();
  }
}
