/** The interfaces between an agent, its hooks and the code that registers them; and the runner without hooks. */
import type { Disposer, MatcherOptions } from '../config/types.js';
import type { NoArguments, SdkArguments } from '../events/sdk-callback.js';
import type {
  AnyEvent,
  CallbacksOf,
  EventTable,
  FireInput,
  FireInputsOf,
  HookEvent,
} from '../events/types.js';
import type { CheckedCallbacks } from '../events/well-spelt.js';
import type { CallbackHook, DescribedHook } from '../handlers/types.js';
import { emptyOutcome } from './aggregate.js';
import type { FireObserver } from './observer.js';
import type { HookOutcome } from './outcome.js';

/** Options of one fire. */
export interface FireOptions {
  /** Ends the fire early: running hooks are aborted, further ones are not started. */
  readonly signal?: AbortSignal | undefined;
  /** The second argument of callbacks. Default: the input's `tool_use_id`. */
  readonly toolUseID?: string | undefined;
  /** The agent whose own hooks run beside the global ones. */
  readonly agentId?: string | undefined;
}

/** All that an agent loop needs from a runner. */
export interface HookRunner {
  /**
   * Runs the hooks of an event and resolves with what they decided together. Contract: rejects only with a
   * `HookError`, for a mistake of the caller; never because of a hook.
   */
  fire<E extends HookEvent>(event: E, input: FireInput<E>, options?: FireOptions): Promise<HookOutcome<E>>;
}

/** No events beside those of the table. */
export type NoEvents = Record<never, never>;

/** Fires events of the table, and those that the application has defined. */
export interface EventFirer<Own extends EventTable = NoEvents> {
  /** Runs the hooks of an event and resolves with what they decided together. Rejects as `HookRunner.fire` does. */
  fire<E extends AnyEvent>(event: E, input: FireInput<E>, options?: FireOptions): Promise<HookOutcome<E>>;
  fire<E extends keyof Own & string>(
    event: E,
    ...rest: OwnArguments<E, [input: FireInputsOf<Own>[E], options?: FireOptions]>
  ): Promise<HookOutcome<E>>;
}

/** The arguments behind the name of an application's event. */
export type OwnArguments<E, Arguments extends readonly unknown[]> = [E] extends [never]
  ? NoArguments
  : Arguments;

/** A runner whose fires can be observed, as `Runner` can. */
export interface ObservableRunner {
  /**
   * Calls the observer at the start of every fire, until the returned function is called. Throws a `HookError` if the
   * observer is not a function.
   */
  observe(observer: FireObserver): Disposer;
}

/**
 * Fires an event that may not be one of the fifteen. `Runner` knows the extended ones; other implementations of
 * `HookRunner` may not.
 */
export function fireAny<E extends AnyEvent>(
  runner: HookRunner,
  event: E,
  input: FireInput<E>,
  options?: FireOptions,
): Promise<HookOutcome<E>> {
  return (runner as HookRunner & EventFirer).fire(event, input, options);
}

/** Registers and fires hooks; what `Runner` and an agent's view of it have in common. */
export interface HookRegistrar<Options extends MatcherOptions, Own extends EventTable = NoEvents> {
  /**
   * Registers hooks for an event. They run from the next fire on, until the returned function is called. Throws a
   * `HookError` for an event, a matcher, an option or a hook that cannot be used, and after the runner was disposed.
   */
  on<E extends EventName<Own>, Top extends string = never, Specific extends string = never>(
    event: E,
    hook: OneOrMore<HookFor<Own, E, string, Top, Specific>>,
  ): Disposer;
  on<
    E extends EventName<Own>,
    const Matcher extends string,
    Top extends string = never,
    Specific extends string = never,
  >(
    event: E,
    options: Options & { readonly matcher?: Matcher | undefined },
    hook: OneOrMore<HookFor<Own, E, Matcher, Top, Specific>>,
  ): Disposer;
  on<Rest extends readonly unknown[]>(event: AnyEvent, ...rest: SdkArguments<Options, Rest>): Disposer;
}

type OneOrMore<Hook> = Hook | readonly Hook[];

/** The names of the table's events and of the application's own. */
export type EventName<Own extends EventTable> = AnyEvent | (keyof Own & string);

/** A hook for an event of the table or of the application. */
export type HookFor<
  Own extends EventTable,
  E,
  Matcher extends string,
  Top extends string,
  Specific extends string,
> = [E] extends [AnyEvent]
  ? Exclude<DescribedHook<E>, CallbackHook<E>> | WithCallback<CheckedCallbacks<Matcher, Top, Specific>[E]>
  : E extends keyof Own
    ? OwnHook<Own, E>
    : never;

/** A callback, alone or with options of its own. */
type WithCallback<Callback> = Callback | (Omit<CallbackHook, 'callback'> & { readonly callback: Callback });

/** A hook for an event that the application defined. */
export type OwnHook<Own extends EventTable, E extends keyof Own> =
  | WithCallback<CallbacksOf<Own>[E]>
  | Exclude<DescribedHook, CallbackHook>;

/** A matcher group of one agent. */
export interface AgentOptions extends MatcherOptions {
  /** Switches off the global hooks of this event for this agent, except protected ones. */
  readonly override?: boolean | undefined;
}

/** One agent's view of a runner: its own hooks beside the global ones, its own fires. */
export interface AgentRunner<Own extends EventTable = NoEvents>
  extends EventFirer<Own>,
    HookRegistrar<AgentOptions, Own> {
  /** The agent's id. */
  readonly agentId: string;
}

/** A runner without hooks, for loops that get none. */
export class NoopRunner implements HookRunner {
  /** Resolves with an empty outcome: no decision, no context. Never rejects. */
  fire<E extends HookEvent>(event: E, _input: FireInput<E>, _options?: FireOptions): Promise<HookOutcome<E>> {
    return Promise.resolve(emptyOutcome(event) as HookOutcome<E>);
  }

  /** Returns false: there are no hooks. Never throws. */
  hasHooks(): boolean {
    return false;
  }
}
