/** The ports between an agent, its hooks and those who register them; and the runner that has no hooks. */
import type { Disposer, MatcherOptions } from '../config/types.js';
import type { SdkCallback } from '../events/sdk-callback.js';
import type { FireInput, HookEvent } from '../events/types.js';
import type { WellSpelt } from '../events/well-spelt.js';
import type { Hook } from '../handlers/types.js';
import { emptyOutcome } from './aggregate.js';
import type { FireObserver } from './observer.js';
import type { HookOutcome } from './outcome.js';

/** What one fire can be told beside its input. */
export interface FireOptions {
  /** Ends the fire early: running hooks are aborted, further ones are not started. */
  readonly signal?: AbortSignal | undefined;
  /** What callbacks get as their second argument. Default: the input's `tool_use_id`. */
  readonly toolUseID?: string | undefined;
  /** Whose own hooks count beside the global ones. */
  readonly agentId?: string | undefined;
}

/** All that an agent loop needs to know of a runner. */
export interface HookRunner {
  /**
   * Runs the hooks of an event and says what they decided together.
   * Contract: rejects only with a `HookError`, for a mistake of the caller; never because of a hook.
   */
  fire<E extends HookEvent>(event: E, input: FireInput<E>, options?: FireOptions): Promise<HookOutcome<E>>;
}

/** A runner whose fires can be observed: what `Runner` is to those who watch. */
export interface ObservableRunner {
  /**
   * Tells of every fire that begins, until the returned function is called. Throws a `HookError` for what is no function.
   */
  observe(observer: FireObserver): Disposer;
}

/** Adds and fires hooks; what `Runner` and an agent's view of it have in common. */
export interface HookRegistrar<Options extends MatcherOptions> {
  /**
   * Registers hooks for an event, from the next fire on and until the returned function is called. Throws a `HookError`
   * for an event, a matcher, an option or a hook that cannot be used, and after the runner was disposed.
   */
  on<E extends HookEvent, const H extends Hook<E> | readonly Hook<E>[]>(
    event: E,
    hook: H & WellSpelt<H, E>,
  ): Disposer;
  on<E extends HookEvent, const H extends Hook<E> | readonly Hook<E>[]>(
    event: E,
    options: Options,
    hook: H & WellSpelt<H, E>,
  ): Disposer;
  on<C>(event: HookEvent, hook: C & SdkCallback<C>): Disposer;
  on<C>(event: HookEvent, options: Options, hook: C & SdkCallback<C>): Disposer;
}

/** A matcher group of one agent. */
export interface AgentOptions extends MatcherOptions {
  /** Switches off the global hooks of this event for this agent, except protected ones. */
  readonly override?: boolean | undefined;
}

/** One agent's view of a runner: its own hooks beside the global ones, its own fires. */
export interface AgentRunner extends HookRunner, HookRegistrar<AgentOptions> {
  /** Whose view it is. */
  readonly agentId: string;
}

/** A runner without hooks, for loops that are given none. */
export class NoopRunner implements HookRunner {
  /** Resolves with an outcome in which nobody has an opinion. Never rejects. */
  fire<E extends HookEvent>(event: E, _input: FireInput<E>, _options?: FireOptions): Promise<HookOutcome<E>> {
    return Promise.resolve(emptyOutcome(event) as HookOutcome<E>);
  }
}
