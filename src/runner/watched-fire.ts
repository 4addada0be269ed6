/** A fire with watchers: passes on what happens, and keeps the watchers' errors away from the fire. */
import { attempt } from '../base/async/emitter.js';
import { privateRecord, viewedParts } from '../base/json/private-view.js';
import { runWithVariables } from './command-variables.js';
import type { MessageSink } from './fast/fire.js';
import type { HookMessage } from './messages/hook-messages.js';
import type { MessageStream, OnListenerError } from './messages/message-stream.js';
import type { FireWatcher, StartedHook } from './observer.js';
import type { HookOutcome, HookResult } from './outcome.js';

/** A longer value is not a name or number, and the size of a process's environment is limited. */
const MAX_VARIABLE = 4096;

export class WatchedFire implements MessageSink {
  readonly watched = true;
  readonly #watchers: readonly FireWatcher[];
  readonly #listeners: MessageStream;
  /** Some errors of watchers belong to no message. */
  readonly #onError: (error: Error, message?: HookMessage) => void;
  /** Hooks whose start was sent to listeners: a listener that was added later does not get only the rest of a run. */
  readonly #announced = new Set<string>();

  constructor(watchers: readonly FireWatcher[], listeners: MessageStream, onError: OnListenerError) {
    this.#watchers = watchers;
    this.#listeners = listeners;
    this.#onError = onError as (error: Error, message?: HookMessage) => void;
  }

  /** Returns what `fire` returns, throws what it throws, and reports how it ends. */
  follow(fire: () => Promise<HookOutcome>): Promise<HookOutcome> {
    const fail = (error: unknown): void => this.#notify((watcher) => watcher.fail?.(error));
    try {
      const answer = fire();
      // The first handler of the promise: all watchers are notified before the caller continues.
      answer.then((outcome) => this.#notify((watcher) => watcher.end?.(viewOutcome(outcome))), fail);
      return answer;
    } catch (error) {
      fail(error);
      throw error;
    }
  }

  emit(message: HookMessage, result?: HookResult): void {
    Object.freeze(message);
    this.#notify((watcher) => watcher.message?.(message, result && viewResult(result)), message);
    if (message.subtype === 'hook_started' && this.#listeners.watched) this.#announced.add(message.hook_id);
    if (this.#announced.has(message.hook_id)) this.#listeners.emit(message);
  }

  /** Contract: `run` never throws. */
  within<T>(hook: StartedHook, run: () => T): T {
    // A callback is not a process and has no variables.
    let start = hook.kind === 'callback' ? run : () => runWithVariables(this.#variablesOf(hook), run);
    for (const watcher of this.#watchers.toReversed()) {
      if (watcher.within === undefined) continue;
      const inner = start;
      start = () => this.#enter(watcher, hook, inner);
    }
    return start();
  }

  /** Starts the hook exactly once, no matter what the watcher does. */
  #enter<T>(watcher: FireWatcher, hook: StartedHook, run: () => T): T {
    let ran: { readonly value: T } | undefined;
    const once = (): T => {
      ran ??= { value: run() };
      return ran.value;
    };
    attempt(() => watcher.within?.(hook, once), this.#onError);
    return once();
  }

  #variablesOf(hook: StartedHook): Readonly<Record<string, string>> {
    const all = this.#watchers.flatMap(
      (watcher) => attempt(() => Object.entries(watcher.environment?.(hook) ?? {}), this.#onError) ?? [],
    );
    return Object.fromEntries(all.filter(isVariable));
  }

  #notify(what: (watcher: FireWatcher) => void, message?: HookMessage): void {
    const report = (error: Error): void => this.#onError(error, message);
    for (const watcher of this.#watchers) attempt(() => what(watcher), report);
  }
}

/** The system would refuse any other, and the command would not start. */
function isVariable([name, value]: readonly [string, unknown]): boolean {
  return (
    typeof value === 'string' && value.length <= MAX_VARIABLE && !/[\0=]/.test(name) && !value.includes('\0')
  );
}

function viewResult(result: HookResult): HookResult {
  // A record with the same fields, each of the same type.
  const record = { ...result };
  return privateRecord(record, viewedParts(record)) as unknown as HookResult;
}

/** Promises cannot be seen through a view; those of background hooks are passed on unchanged. */
function viewOutcome({ pending, ...data }: HookOutcome): HookOutcome {
  const own = privateRecord(data, viewedParts(data));
  return { ...own, pending: pending.map((each) => ({ ...each })) } as unknown as HookOutcome;
}
