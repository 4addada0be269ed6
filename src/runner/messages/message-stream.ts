/** Where messages are listened to. Whatever a listener does, the fire it listens to goes on. */
import { EventEmitter } from 'node:events';
import type { default as TypedEmitter } from 'typed-emitter';
import { toError } from '../../base/errors.js';
import type { HookMessage, MessageListeners } from './hook-messages.js';
import { MessageQueue } from './message-queue.js';

type Emitter = TypedEmitter.default<MessageListeners>;

export type OnListenerError = (error: Error, message: HookMessage) => void;

export class MessageStream implements AsyncIterable<HookMessage> {
  readonly #emitter = new EventEmitter() as Emitter;
  readonly #queues = new Set<MessageQueue>();
  readonly #onListenerError: OnListenerError;
  #listeners = 0;
  #closed = false;

  constructor(onListenerError: OnListenerError = warnOnce()) {
    this.#emitter.setMaxListeners(0);
    this.#onListenerError = onListenerError;
  }

  /** Whether anybody would notice a message; without listeners none is made. */
  get watched(): boolean {
    return this.#listeners > 0;
  }

  /** Listens until the returned function is called. */
  on<K extends keyof MessageListeners>(kind: K, listener: MessageListeners[K]): () => void {
    const guarded = ((message: HookMessage) =>
      this.#call(listener as (m: HookMessage) => unknown, message)) as MessageListeners[K];
    this.#emitter.on(kind, guarded);
    this.#listeners += 1;
    let listening = true;
    return () => {
      if (!listening) return;
      listening = false;
      this.#listeners -= 1;
      this.#emitter.off(kind, guarded);
    };
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

  #call(listener: (message: HookMessage) => unknown, message: HookMessage): void {
    try {
      const returned = listener(message);
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#report(error, message));
    } catch (error) {
      this.#report(error, message);
    }
  }

  #report(error: unknown, message: HookMessage): void {
    try {
      this.#onListenerError(toError(error), message);
    } catch {
      // A reporter that fails has nobody left to report to.
    }
  }
}

/** Nobody asked for listeners' errors: say it once through the process, so that it is not lost, and then be quiet. */
function warnOnce(): OnListenerError {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    process.emitWarning(`A listener of hook messages failed: ${error.message}`, {
      code: 'HOOKLINE_LISTENER',
    });
  };
}
