/** The interface for observing whole fires. */
import type { Source } from '../config/loaded.js';
import type { AnyEvent } from '../events/types.js';
import type { HookMessage } from './messages/hook-messages.js';
import type { HookOutcome, HookResult } from './outcome.js';

/** A fire that starts, as the caller requested it: nothing has been validated yet. */
export interface BegunFire {
  /** Unique for every fire. */
  readonly id: string;
  readonly event: AnyEvent;
  /** The caller's input, as a private view: changes to it are visible to this observer only. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The session id in its messages. */
  readonly sessionId: string;
  readonly agentId: string | undefined;
  readonly toolUseID: string | undefined;
}

/** A hook that is being started. */
export interface StartedHook {
  /** The `hook_id` of its messages, and the `hookId` of its result. */
  readonly id: string;
  readonly name: string;
  /** `callback`, `command`, `http`, or the type in its file. */
  readonly kind: string;
  /** Of a hook that comes from a file: its command line, URL or handler, and where it is defined. */
  readonly origin?: { readonly description: string; readonly source: Source };
}

/**
 * Watches one fire without changing it. Anything it throws or rejects with goes to `onListenerError`, and the fire
 * continues as if it were not watched. Its methods are called until everything of the fire has ended, even after the
 * observer was removed.
 */
export interface FireWatcher {
  /**
   * Starts a hook: call `run` exactly once, synchronously. The asynchronous context of that call is also the hook's.
   * If a watcher throws or does not call `run`, the hook is started anyway.
   */
  within?<T>(hook: StartedHook, run: () => T): T;
  /** Additional variables for a command hook. The hook's own `env` overrides them. */
  environment?(hook: StartedHook): Readonly<Record<string, string>>;
  /**
   * A message of one of its hooks: the same frozen object that listeners get. A response comes with the hook's
   * result; that of a background hook comes after the fire's end.
   */
  message?(message: HookMessage, result: HookResult | undefined): void;
  /** The fire has an outcome. Called before the caller gets it. */
  end?(outcome: HookOutcome): void;
  /** The fire was refused because of a mistake of the caller, and has no outcome. */
  fail?(error: unknown): void;
}

/** Called at the start of every fire. The returned watcher watches it; return undefined to ignore the fire. */
export type FireObserver = (fire: BegunFire) => FireWatcher | undefined | void;
