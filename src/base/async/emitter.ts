/**
 * The event emitter used everywhere: a listener that throws affects neither the other listeners nor the emitting code.
 */
import { EventEmitter } from 'node:events';
import type { default as TypedEmitter } from 'typed-emitter';
import { messageOf, toError } from '../errors.js';

type Report = (error: Error) => void;

/**
 * Event kinds and their listeners. Not typed-emitter's own type, so that users need not install it to read our
 * declarations.
 */
type EventMap = Record<string, Parameters<EventEmitter['on']>[1]>;

/**
 * Contract: `emit` never throws. Listeners may be added and removed during `emit`; it calls those registered when it
 * began.
 */
export class SafeEmitter<Events extends EventMap> {
  readonly #emitter = new EventEmitter() as TypedEmitter.default<Events>;
  readonly #onError: (error: Error, ...args: Parameters<Events[keyof Events]>) => void;
  #listeners = 0;

  /** `onError` receives what a listener throws or rejects with, and the arguments the listener was called with. */
  constructor(onError: (error: Error, ...args: Parameters<Events[keyof Events]>) => void) {
    this.#emitter.setMaxListeners(0);
    this.#onError = onError;
  }

  /** The number of listeners, of all kinds. */
  get size(): number {
    return this.#listeners;
  }

  /**
   * The same function may be registered twice. The returned function removes it, and returns false if it was already
   * removed.
   */
  on<K extends keyof Events>(kind: K, listener: Events[K]): () => boolean {
    const guarded = ((...args: Parameters<Events[K]>) => {
      attempt(
        () => listener(...args) as unknown,
        (error) => this.#onError(error, ...args),
      );
    }) as Events[K];
    this.#emitter.on(kind, guarded);
    this.#listeners += 1;
    let isListening = true;
    return () => {
      if (!isListening) return false;
      isListening = false;
      this.#listeners -= 1;
      this.#emitter.off(kind, guarded);
      return true;
    };
  }

  emit<K extends keyof Events>(kind: K, ...args: Parameters<Events[K]>): void {
    this.#emitter.emit(kind, ...args);
  }
}

/** Calls foreign code and reports what it throws or rejects with, also later. Contract: never throws. */
export function attempt<T>(call: () => T, onError: Report): T | undefined {
  const report = (error: unknown): void => {
    try {
      onError(toError(error));
    } catch {
      // If reporting fails, there is nowhere left to report to.
    }
  };
  try {
    const returned = call();
    if (returned instanceof Promise) returned.catch(report);
    return returned;
  } catch (error) {
    report(error);
    return undefined;
  }
}

/** For errors without a handler: emits one process warning for the first error and ignores the rest. */
export function warnOnce(who: string, code: string): Report {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    process.emitWarning(`${who} failed: ${messageOf(error)}`, { code });
  };
}
