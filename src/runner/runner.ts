/** The runner: registration, firing, and disposal. */

import { type OptionNames, refuseUnknownOptions } from '../base/text/known-options.js';
import type { LoadedConfig } from '../config/loaded.js';
import { type OnLostProtection, refuseLostProtection, withPlace } from '../config/lost-protection.js';
import { type Registration, readConfig, readRegistration } from '../config/read.js';
import type { Disposer, HookConfig, HookWarning, MatcherOptions } from '../config/types.js';
import { resolveDialect } from '../dialects/index.js';
import { isEvent, rowOf } from '../events/registry.js';
import type { SdkOptions } from '../events/sdk-callback.js';
import type { AnyEvent, EventTable, FireInput, FireInputsOf } from '../events/types.js';
import type { Precedence } from './aggregate.js';
import { Engine } from './engine.js';
import { agentOf, disposed, globalOverride, notAnAgent, unknownEvent } from './errors.js';
import { type Explanation, explain } from './explain.js';
import type {
  AgentRunner,
  EventFirer,
  FireOptions,
  HookRegistrar,
  NoEvents,
  OwnArguments,
  OwnHook,
} from './hook-runner.js';
import type { LateAnswer, WakeUp } from './late.js';
import { MessageStream } from './messages/message-stream.js';
import type { FireObserver } from './observer.js';
import { type Firing, Observers } from './observers.js';
import { type RunnerOptions, readOptions, type Settings, warnThroughProcess } from './options.js';
import type { HookOutcome } from './outcome.js';
import { Planner } from './plan.js';
import { compileGroup, type GroupDefaults } from './registration/group.js';
import { Registry } from './registration/registry.js';
import { compileLoaded } from './registration/use.js';
import type { WatchedFire } from './watched-fire.js';

const NO_OPTIONS: FireOptions = Object.freeze({});

/** Options of `runner.use`. */
export interface UseOptions {
  /**
   * What to do if a guard, a deny rule or a whole file that should protect has no effect: `'refuse'` throws, `'warn'`
   * goes on without it, with a warning for each. Default: `'refuse'`.
   */
  readonly onLostProtection?: OnLostProtection | undefined;
}

const USE_OPTIONS: OptionNames<UseOptions> = { onLostProtection: true };

/** Runs the hooks of events. Its methods throw and reject only with a `HookError`, for mistakes of the caller. */
class HookRunnerImplementation<Own extends EventTable = NoEvents>
  implements EventFirer<Own>, HookRegistrar<MatcherOptions, Own>
{
  readonly #settings: Settings;
  readonly #registry = new Registry();
  readonly #planner = new Planner(this.#registry);
  readonly #engine: Engine;
  /** The configurations in use, each with its number of uses and its warnings. */
  readonly #used = new Map<LoadedConfig, { times: number; warnings: readonly HookWarning[] }>();
  readonly #warnings: HookWarning[] = [];
  #precedence: Precedence = 'allow-over-ask';
  readonly #groupDefaults: GroupDefaults;
  /** Undefined without observers: a fire then has no extra cost. */
  #observers: Observers | undefined;
  readonly #onListenerError: RunnerOptions['onListenerError'];
  readonly #onWarning: (warning: HookWarning) => void;

  /** hook_started, hook_progress and hook_response messages, for people who watch. */
  readonly messages: MessageStream;

  constructor(options: RunnerOptions & { readonly events?: EventTable } = {}) {
    this.#settings = readOptions(options);
    this.#onWarning = options.onWarning ?? warnThroughProcess;
    this.#onListenerError = options.onListenerError;
    this.messages = new MessageStream(options.onListenerError);
    this.#settlePrecedence();
    this.#engine = new Engine(this.#settings, options.spawn, this.messages, () => this.#precedence);
    this.#groupDefaults = {
      ...this.#settings.group,
      commands: this.#engine.commands,
      services: this.#settings.services,
      warn: (warning) => {
        this.#warnings.push(warning);
        this.#emitWarning(warning);
      },
    };
    for (const registration of readConfig(options.hooks)) this.#register(registration);
  }

  /** Registrations that were accepted but are surely not intended. */
  get warnings(): readonly HookWarning[] {
    return [...this.#warnings, ...[...this.#used.values()].flatMap(({ warnings }) => warnings)];
  }

  /**
   * Registers hooks for an event. They run from the next fire on, until the returned function is called. Throws a
   * `HookError` for an event, a matcher, an option or a hook that cannot be used.
   */
  readonly on: HookRegistrar<MatcherOptions, Own>['on'] = (
    event: string,
    ...rest: readonly unknown[]
  ): Disposer => {
    return this.#register(readRegistration(event as AnyEvent, rest));
  };

  /**
   * A view for one agent: hooks registered there apply to that agent only. Throws a `HookError` for an id that is not
   * a string.
   */
  forAgent(agentId: string): AgentRunner<Own> {
    if (typeof agentId !== 'string') throw notAnAgent(agentId);
    return {
      agentId,
      on: (event: string, ...rest: readonly unknown[]) =>
        this.#register(readRegistration(event as AnyEvent, rest), agentId),
      fire: (event: string, input: object, options?: FireOptions) =>
        this.fire(event as AnyEvent, input as FireInput<AnyEvent>, { ...options, agentId }),
    } as AgentRunner<Own>;
  }

  /**
   * Registers everything in a loaded configuration and returns a function that removes it. Hooks that will not run
   * are listed in `warnings`. Throws a `HookError` if protection is lost (a diagnostic with `failsOpen`), unless
   * `onLostProtection` is `'warn'`, and if the runner is disposed.
   */
  use(config: LoadedConfig, options: UseOptions = {}): Disposer {
    if (this.#engine.closed) throw disposed('use');
    refuseUnknownOptions('runner.use', options, USE_OPTIONS);
    const lost = refuseLostProtection(config.diagnostics, options.onLostProtection);
    const warnings: HookWarning[] = [];
    const warn = (warning: HookWarning): void => {
      warnings.push(warning);
      this.#emitWarning(warning);
    };
    for (const each of lost) warn({ code: 'protection_lost', message: withPlace(each) });
    const used = compileLoaded(config, resolveDialect, { ...this.#groupDefaults, warn });
    this.#used.set(config, { times: (this.#used.get(config)?.times ?? 0) + 1, warnings });
    this.#settlePrecedence();
    const disposers = used.map(({ group, agentId, override }) =>
      this.#registry.add(group, agentId, override),
    );
    let inUse = true;
    return () => {
      if (!inUse) return;
      inUse = false;
      for (const dispose of disposers) dispose();
      this.#release(config);
    };
  }

  /**
   * Lists which hooks a fire would run, in which order, and which it would not run and why. Runs nothing. Throws for
   * an unknown event or option.
   */
  explain<E extends AnyEvent>(event: E, input: Partial<FireInput<E>>, options?: FireOptions): Explanation;
  explain<E extends keyof Own & string>(
    event: E,
    ...rest: OwnArguments<E, [input: Partial<FireInputsOf<Own>[E]>, options?: FireOptions]>
  ): Explanation;
  explain(event: AnyEvent, input: object, options?: FireOptions): Explanation {
    if (!isEvent(event)) throw unknownEvent(event);
    const field = rowOf(event).matcherField;
    const full = { ...this.#settings.base, hook_event_name: event, ...input } as Readonly<
      Record<string, unknown>
    >;
    const subject = field === null ? undefined : String(full[field] ?? '');
    return explain(event, this.#registry.groupsFor(event, agentOf(options)), subject, full);
  }

  /**
   * Runs the hooks of an event that apply to this input, and resolves with what they decided together. Never rejects
   * because of a hook.
   */
  fire<E extends AnyEvent>(event: E, input: FireInput<E>, options?: FireOptions): Promise<HookOutcome<E>>;
  fire<E extends keyof Own & string>(
    event: E,
    ...rest: OwnArguments<E, [input: FireInputsOf<Own>[E], options?: FireOptions]>
  ): Promise<HookOutcome<E>>;
  fire(event: AnyEvent, input: object, options?: FireOptions): Promise<HookOutcome> {
    try {
      // No closure is created here: it would make every fire keep its arguments on the heap.
      if (this.#observers !== undefined) return this.#observers.fire(event, input, options);
      return this.#fire(event, input, options, undefined);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Calls the observer at the start of every fire, until the returned function is called. A watcher that it returns
   * follows that fire to its end. Neither can change a fire. Throws a `HookError` if the observer is not a function.
   */
  observe(observer: FireObserver): Disposer {
    const fire: Firing = (event, input, options, watched) => this.#fire(event, input, options, watched);
    const observers =
      this.#observers ?? new Observers(fire, this.#settings.base, this.messages, this.#onListenerError);
    const remove = observers.add(observer, () => {
      this.#observers = undefined;
    });
    this.#observers = observers;
    return remove;
  }

  /** Whether hooks are registered for an event, whatever their matchers say. With `agentId`, also those of that agent alone. */
  hasHooks(event: string, agentId?: string): boolean {
    return isEvent(event) && !this.#planner.plansFor(event, agentId).empty;
  }

  /**
   * Returns what hooks in the background have answered since the last call, for one agent or for all: context for the
   * next request to the model. Every answer is returned once.
   */
  takeLate(agentId?: string): LateAnswer[] {
    return this.#engine.takeLate(agentId);
  }

  /**
   * Calls the listener when a command with `asyncRewake` exits with code 2, until the returned function is called. While
   * there is a listener such commands run in the background; otherwise they are awaited, so that nothing they say is lost.
   */
  onRewake(listener: (wakeUp: WakeUp) => void): Disposer {
    return this.#engine.onRewake(listener);
  }

  /**
   * Shell files, in order, with the variables that SessionStart and Setup commands have set for later shell commands.
   */
  environmentFiles(): string[] {
    return this.#engine.environmentFiles();
  }

  /** Resolves when no hook is in the background any more. */
  drain(): Promise<void> {
    return this.#engine.drain();
  }

  /** Ends everything that runs; afterwards every fire is refused. Resolves when all of it has ended. */
  async dispose(): Promise<void> {
    await this.#engine.close();
    await Promise.allSettled([...this.#used.keys()].map((config) => config.dispose?.()));
    this.messages.close();
  }

  /** The same as `dispose`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  /** Throws a HookError for a mistake of the caller. */
  #fire(event: AnyEvent, input: object, options?: FireOptions, watched?: WatchedFire): Promise<HookOutcome> {
    const plans = this.#planner.plansFor(event, agentOf(options));
    const { nothing } = plans;
    if (nothing === undefined) throw unknownEvent(event);
    if (this.#engine.closed) throw disposed(event);
    if (plans.empty) return nothing;
    return this.#engine.start(event, input, options ?? NO_OPTIONS, plans, watched) ?? nothing;
  }

  #register({ event, options, hooks }: Registration, agentId?: string): Disposer {
    if (this.#engine.closed) throw disposed(event);
    if (options.override === true && agentId === undefined) throw globalOverride(event);
    const entries = hooks.map((hook) => ({ hook }));
    const group = compileGroup(event, options, entries, resolveDialect(options.dialect), this.#groupDefaults);
    return this.#registry.add(group, agentId, options.override === true);
  }

  /** The runner's own option, otherwise that of the first loaded configuration that has one. */
  #settlePrecedence(): void {
    const said = [...this.#used.keys()].find(({ precedence }) => precedence !== undefined);
    this.#precedence = this.#settings.precedence ?? said?.precedence ?? 'allow-over-ask';
  }

  /** Fires that started with a configuration's hooks may still need the resources it keeps for them. */
  #release(config: LoadedConfig): void {
    const { times = 1, warnings = [] } = this.#used.get(config) ?? {};
    if (times > 1) {
      this.#used.set(config, { times: times - 1, warnings });
      return;
    }
    this.#used.delete(config);
    this.#settlePrecedence();
    this.#engine
      .settled()
      .then(() => config.dispose?.())
      .catch(() => {});
  }

  /** An `onWarning` that throws must not make a registration fail. */
  #emitWarning(warning: HookWarning): void {
    try {
      this.#onWarning(warning);
    } catch {
      // The warning is recorded anyway.
    }
  }
}

/** The groups of events that the application has defined. */
type OwnHookConfig<Own extends EventTable> = {
  readonly [E in keyof Own]?:
    | readonly (MatcherOptions & { readonly hooks: readonly OwnHook<Own, E>[] })[]
    | undefined;
};

interface OptionsWith<Own extends EventTable> extends Omit<RunnerOptions, 'hooks'> {
  /** Events of your own, by name, made with `defineEvent`. A name means the same in the whole process. */
  readonly events?: Own | undefined;
  /** Hooks for all agents, registered at once. Default: none. */
  readonly hooks?: (HookConfig & OwnHookConfig<NoInfer<Own>>) | undefined;
}

/**
 * The constructor's type also accepts configurations declared with the Agent SDK's own types; a class constructor
 * cannot express this.
 */
interface RunnerClass {
  // Not `NoEvents`, which the declarations of other packages could not name.
  new <const Own extends EventTable = Record<never, never>>(options?: OptionsWith<Own>): Runner<Own>;
  new <Config>(...options: SdkOptions<Omit<RunnerOptions, 'hooks'>, Config>): Runner;
}

/** Runs the hooks of the fifteen events, and of those that you define. Make one per session, fire it from the loop, dispose it at the end. */
export const Runner: RunnerClass = HookRunnerImplementation;
/** What `new Runner()` makes. */
// An interface: unlike the class, the declarations of a package that exports a runner can name it.
export interface Runner<Own extends EventTable = NoEvents> extends HookRunnerImplementation<Own> {}
