/** Those who observe whole fires: what they are told, and the little that they can do. */
import type { AnyEvent } from '../events/types.js';
import type { HookMessage } from './messages/hook-messages.js';
import type { HookOutcome, HookResult } from './outcome.js';

/** A fire that begins, as its caller wants it: nothing of it has been checked yet. */
export interface BegunFire {
  /** Unlike that of any other fire. */
  readonly id: string;
  readonly event: AnyEvent;
  /** What the caller gave, as a view of one's own: what is changed in it, nobody else sees. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The session that its messages name. */
  readonly sessionId: string;
  readonly agentId: string | undefined;
  readonly toolUseID: string | undefined;
}

/** A hook of a fire that is being started. */
export interface StartedHook {
  /** The `hook_id` of its messages, and the `hookId` of its result. */
  readonly id: string;
  readonly name: string;
  /** `callback`, `command`, `http`, or as its file calls it. */
  readonly kind: string;
}

/**
 * Who watches one fire. It changes nothing: whatever it throws or rejects with goes to `onListenerError`, and the fire goes
 * on as if nobody watched. Each of its methods is called until everything of the fire has ended, also after the observer
 * was taken out.
 */
export interface FireWatcher {
  /**
   * Starts a hook: `run` is to be called once, at once. What is around that call is around the hook too, such as an
   * asynchronous context. A watcher that throws, or does not call it, does not keep the hook from being started.
   */
  within?<T>(hook: StartedHook, run: () => T): T;
  /** Further variables for the command that a hook is. What the hook's own `env` says counts more. */
  environment?(hook: StartedHook): Readonly<Record<string, string>>;
  /**
   * One of its hooks tells something, with the same frozen message that listeners get. A response comes with the hook's
   * result; that of a hook in the background after the fire's end.
   */
  message?(message: HookMessage, result: HookResult | undefined): void;
  /** It has an outcome. Called before the caller gets it. */
  end?(outcome: HookOutcome): void;
  /** It was refused, and there will be no outcome: a mistake of the caller. */
  fail?(error: unknown): void;
}

/** Told of every fire that begins. Whoever is returned watches it; nobody, if it is of no interest. */
export type FireObserver = (fire: BegunFire) => FireWatcher | undefined | void;
