/** The one emitter: whatever a listener does, the others are called and whoever emits goes on. */
import { EventEmitter } from 'node:events';
import type { default as TypedEmitter } from 'typed-emitter';
import { messageOf, toError } from '../errors.js';

type Report = (error: Error) => void;

/** Kinds and who listens to them. Not typed-emitter's own type: users need not install it to read our declarations. */
type EventMap = Record<string, Parameters<EventEmitter['on']>[1]>;

/** Contract: `emit` never throws. Listeners may come and go while it runs: those of the beginning are called. */
export class SafeEmitter<Events extends EventMap> {
  readonly #emitter = new EventEmitter() as TypedEmitter.default<Events>;
  readonly #onError: (error: Error, ...args: Parameters<Events[keyof Events]>) => void;
  #listeners = 0;

  /** `onError` is given what a listener throws or rejects with, and what it was called with. */
  constructor(onError: (error: Error, ...args: Parameters<Events[keyof Events]>) => void) {
    this.#emitter.setMaxListeners(0);
    this.#onError = onError;
  }

  /** How many listen, to whatever. */
  get size(): number {
    return this.#listeners;
  }

  /** The same function may listen twice. The returned function ends it, and returns false when it had ended before. */
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

/** Calls somebody whose mistakes are not the caller's: they are reported, also later ones. Contract: never throws. */
export function attempt<T>(call: () => T, onError: Report): T | undefined {
  const report = (error: unknown): void => {
    try {
      onError(toError(error));
    } catch {
      // A reporter that fails has nobody left to report to.
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

/** For errors that nobody asked for: said once through the process, so that they are not lost, and then no more. */
export function warnOnce(who: string, code: string): Report {
  let warned = false;
  return (error) => {
    if (warned) return;
    warned = true;
    process.emitWarning(`${who} failed: ${messageOf(error)}`, { code });
  };
}
