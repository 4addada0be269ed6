/**
 * Sees whole fires: who fires what, which hook belongs to which fire, and what came of it. Messages alone do not tell,
 * and a runner has no other place for it, so its `fire` is replaced on the object while somebody watches.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FireInput, HookEvent } from '../events/types.js';
import type { FireOptions, HookRunner } from '../hook-runner.js';
import type { HookMessage } from '../messages/hook-messages.js';
import type { HookOutcome } from '../pipeline/outcome.js';

/** A `Runner`, or anything that fires and tells like one. */
export interface WatchedRunner extends HookRunner {
  readonly messages: { on(kind: 'message', listener: (message: HookMessage) => void): () => void };
}

export interface BegunFire {
  readonly id: string;
  readonly event: HookEvent;
  readonly input: Readonly<Record<string, unknown>>;
  readonly options: FireOptions;
}

export interface FireObserver {
  begin(fire: BegunFire): void;
  message(message: HookMessage, fire: string | undefined): void;
  end(fire: string, outcome: HookOutcome): void;
  fail(fire: string, error: unknown): void;
}

interface Instrumented {
  readonly observers: Set<FireObserver>;
  /** Takes the instruments off again. */
  restore(): void;
}

const instrumented = new WeakMap<WatchedRunner, Instrumented>();
let lastFire = 0;

/**
 * Observes until the returned function is called.
 * Contract: every fire is answered exactly as the runner answers it, with the same promise.
 */
export function observeFires(runner: WatchedRunner, observer: FireObserver): () => void {
  const instruments = instrumented.get(runner) ?? instrument(runner);
  instrumented.set(runner, instruments);
  instruments.observers.add(observer);
  return () => {
    if (!instruments.observers.delete(observer) || instruments.observers.size > 0) return;
    instruments.restore();
    instrumented.delete(runner);
  };
}

function instrument(runner: WatchedRunner): Instrumented {
  const observers = new Set<FireObserver>();
  const current = new AsyncLocalStorage<string>();
  const tell = (what: (observer: FireObserver) => void): void => {
    for (const observer of observers) what(observer);
  };
  const own = Object.getOwnPropertyDescriptor(runner, 'fire');
  const original = runner.fire;
  const fire = <E extends HookEvent>(
    event: E,
    input: FireInput<E>,
    options?: FireOptions,
  ): Promise<HookOutcome<E>> => {
    if (observers.size === 0) return original.call(runner, event, input, options) as Promise<HookOutcome<E>>;
    lastFire += 1;
    const id = `fire-${lastFire}`;
    tell((observer) => observer.begin({ id, event, input: { ...input }, options: options ?? {} }));
    const answer = current.run(id, () => original.call(runner, event, input, options)) as Promise<
      HookOutcome<E>
    >;
    answer.then(
      (outcome) => tell((observer) => observer.end(id, outcome)),
      (error: unknown) => tell((observer) => observer.fail(id, error)),
    );
    return answer;
  };
  const isOurs = Reflect.defineProperty(runner, 'fire', { value: fire, configurable: true, writable: true });
  const stopListening = runner.messages.on('message', (message) =>
    tell((observer) => observer.message(message, current.getStore())),
  );
  return {
    observers,
    restore: () => {
      stopListening();
      current.disable();
      // Whoever has replaced it after us keeps calling ours, which only passes on from now on.
      if (!isOurs || runner.fire !== fire) return;
      if (own === undefined) Reflect.deleteProperty(runner, 'fire');
      else Reflect.defineProperty(runner, 'fire', own);
    },
  };
}
