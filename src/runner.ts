/** The runner: whom it knows, what it fires, and how it ends. */
import { randomUUID } from 'node:crypto';
import { compileGroup, type GroupDefaults } from './config/group.js';
import { type Registration, readConfig, readRegistration, unknownEvent } from './config/read.js';
import { Registry } from './config/registry.js';
import type { Hook, HookWarning, MatcherOptions, SdkCallback, SdkHookConfig } from './config/types.js';
import { resolveDialect } from './dialects/index.js';
import { HookError } from './errors.js';
import { HOOK_EVENTS, rowOf } from './events/schemas.js';
import type { FireInput, HookEvent } from './events/types.js';
import type { FireOptions, HookRunner } from './hook-runner.js';
import { BackgroundSet } from './hooks/background.js';
import { Cancellation } from './hooks/cancellation.js';
import { enterFire, leaveFire, nextDepth } from './hooks/depth.js';
import { MessageStream } from './messages/message-stream.js';
import { aggregate, emptyOutcome } from './pipeline/aggregate.js';
import { capTexts, SpillStore } from './pipeline/cap-text.js';
import type { Fire } from './pipeline/execute.js';
import { completeInput } from './pipeline/input.js';
import { type LateAnswer, LateAnswers } from './pipeline/late.js';
import type { HookOutcome } from './pipeline/outcome.js';
import { type EventPlans, type Plan, Planner } from './pipeline/plan.js';
import { runPlan } from './pipeline/run-plan.js';
import { tie, untie } from './pipeline/signals.js';
import { createWire } from './pipeline/wire.js';
import { createLimiter } from './process/limiter.js';
import { runLimited } from './process/run-limited.js';
import { type RunnerOptions, readOptions, type Settings } from './runner-options.js';

export type Disposer = () => void;

/** Adds and fires hooks; what `Runner` and an agent's view of it have in common. */
export interface HookRegistrar<Options extends MatcherOptions> {
  /** Registers hooks for an event, from the next fire on and until the returned function is called. */
  on<E extends HookEvent>(event: E, hook: Hook<E> | readonly Hook<E>[]): Disposer;
  on<E extends HookEvent>(event: E, options: Options, hook: Hook<E> | readonly Hook<E>[]): Disposer;
  on<C>(event: HookEvent, hook: C & SdkCallback<C>): Disposer;
  on<C>(event: HookEvent, options: Options, hook: C & SdkCallback<C>): Disposer;
}

export interface AgentOptions extends MatcherOptions {
  /** Switches off the global hooks of this event for this agent, except protected ones. */
  readonly override?: boolean | undefined;
}

/** One agent's view of a runner: its own hooks beside the global ones, its own fires. */
export interface AgentRunner extends HookRunner, HookRegistrar<AgentOptions> {
  readonly agentId: string;
}

const NOTHING_HAPPENED: ReadonlyMap<string, Promise<HookOutcome>> = new Map(
  HOOK_EVENTS.map((event) => [event, Promise.resolve(Object.freeze(emptyOutcome(event)))] as const),
);

const NO_OPTIONS: FireOptions = Object.freeze({});

class HookRunnerImplementation implements HookRunner, HookRegistrar<MatcherOptions> {
  readonly #settings: Settings;
  readonly #registry = new Registry();
  readonly #planner = new Planner(this.#registry);
  readonly #background: BackgroundSet;
  readonly #spills = new SpillStore();
  /** Ends what has outlived its fire. */
  readonly #lifetime = new Cancellation();
  readonly #openFires = new Map<Cancellation, Promise<unknown>>();
  readonly #warnings: HookWarning[] = [];
  readonly #groupDefaults: GroupDefaults;
  readonly #idPrefix = `${randomUUID().slice(0, 8)}-`;
  #lastId = 0;
  readonly #late = new LateAnswers();
  readonly #onLate = (answer: LateAnswer): void => this.#late.add(answer);
  readonly #nextHookId = (): string => {
    this.#lastId += 1;
    return this.#idPrefix + this.#lastId;
  };

  /** hook_started, hook_progress and hook_response, for people who watch. */
  readonly messages: MessageStream;

  constructor(options: RunnerOptions = {}) {
    this.#settings = readOptions(options);
    this.messages = new MessageStream(options.onListenerError);
    this.#background = new BackgroundSet(this.#settings.maxBackground);
    const limiter = createLimiter(this.#settings.maxProcesses);
    this.#groupDefaults = {
      ...this.#settings.group,
      commands: { projectDir: this.#settings.base.cwd, start: (request) => runLimited(limiter, request) },
      warn: (warning) => {
        this.#warnings.push(warning);
        options.onWarning?.(warning);
      },
    };
    for (const registration of readConfig(options.hooks)) this.#register(registration);
  }

  /** Registrations that were accepted but are surely not what was meant. */
  get warnings(): readonly HookWarning[] {
    return this.#warnings;
  }

  readonly on: HookRegistrar<MatcherOptions>['on'] = (
    event: HookEvent,
    ...rest: readonly unknown[]
  ): Disposer => {
    return this.#register(readRegistration(event, rest));
  };

  /** A view for one agent: what is registered there counts for that agent only. */
  forAgent(agentId: string): AgentRunner {
    return {
      agentId,
      on: (event: HookEvent, ...rest: readonly unknown[]): Disposer => {
        return this.#register(readRegistration(event, rest), agentId);
      },
      fire: (event, input, options) => this.fire(event, input, { ...options, agentId }),
    };
  }

  fire<E extends HookEvent>(event: E, input: FireInput<E>, options?: FireOptions): Promise<HookOutcome<E>>;
  fire(event: HookEvent, input: object, options?: FireOptions): Promise<HookOutcome> {
    const nothing = NOTHING_HAPPENED.get(event);
    if (nothing === undefined) return Promise.reject(unknownEvent(event));
    if (this.#lifetime.cancelled) return Promise.reject(disposed(event));
    const plans = this.#planner.plansFor(event, options?.agentId);
    if (plans.empty) return nothing;
    try {
      return this.#run(event, input, options ?? NO_OPTIONS, plans) ?? nothing;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Hands over what hooks in the background have told since the last call, for one agent or for all: context for the
   * next request to the model. Every answer is handed over once.
   */
  takeLate(agentId?: string): LateAnswer[] {
    return this.#late.take(agentId);
  }

  /** Resolves when no hook is in the background any more. */
  drain(): Promise<void> {
    return this.#background.drain();
  }

  /** Ends everything that runs; afterwards every fire is refused. Resolves when all of it has ended. */
  async dispose(): Promise<void> {
    this.#lifetime.cancel();
    const open = [...this.#openFires.values()];
    for (const cancellation of [...this.#openFires.keys()]) cancellation.cancel();
    await Promise.allSettled(open);
    await this.#background.drain();
    this.messages.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #register({ event, options, hooks }: Registration, agentId?: string): Disposer {
    if (this.#lifetime.cancelled) throw disposed(event);
    const group = compileGroup(event, options, hooks, resolveDialect(options.dialect), this.#groupDefaults);
    return this.#registry.add(group, agentId, options.override === true);
  }

  /** Undefined: hooks are registered, but none of them is meant. Throws a HookError for a mistake of the caller. */
  #run(
    event: HookEvent,
    own: object,
    options: FireOptions,
    plans: EventPlans,
  ): Promise<HookOutcome> | undefined {
    const depth = nextDepth();
    if (depth > this.#settings.maxDepth) throw tooDeep(event, this.#settings.maxDepth);
    const { agentId, signal } = options;
    const input = completeInput(event, own, this.#settings.base, {
      agent_id: agentId,
      tool_use_id: options.toolUseID,
    });
    const field = rowOf(event).subject;
    const subject = field === null ? undefined : (input[field] as string);
    const plan = plans.planFor(subject);
    if (plan.stages.length === 0) return undefined;
    const cancellation = new Cancellation();
    const fire: Fire = {
      event,
      name: subject === undefined ? event : `${event}:${subject}`,
      sessionId: input['session_id'] as string,
      toolUseID: options.toolUseID ?? (input['tool_use_id'] as string | undefined),
      agentId,
      depth,
      cancellation,
      messages: this.messages,
      background: this.#background,
      lifetime: this.#lifetime,
      wire: createWire(event),
      nextHookId: this.#nextHookId,
      onLate: this.#onLate,
    };
    if (plan.usesWire) fire.wire(input);
    const outcome = this.#carryOut(plan, input, fire, signal);
    this.#openFires.set(cancellation, outcome);
    return outcome;
  }

  async #carryOut(
    plan: Plan,
    input: Readonly<Record<string, unknown>>,
    fire: Fire,
    signal: AbortSignal | undefined,
  ): Promise<HookOutcome> {
    const { cancellation } = fire;
    if (signal?.aborted) cancellation.cancel();
    else if (signal !== undefined) tie(signal, cancellation);
    enterFire();
    try {
      const stages = await runPlan(plan, input, fire);
      const outcome = aggregate(fire.event, stages, this.#settings.precedence, cancellation.cancelled);
      return await capTexts(outcome, this.#settings.maxTextLength, this.#spills);
    } finally {
      leaveFire();
      if (signal !== undefined) untie(signal, cancellation);
      this.#openFires.delete(cancellation);
    }
  }
}

/** A class whose configuration may also be declared with the Agent SDK's own types; a constructor alone cannot say so. */
interface RunnerClass {
  new (options?: RunnerOptions): HookRunnerImplementation;
  new <C>(
    options: Omit<RunnerOptions, 'hooks'> & { readonly hooks: SdkHookConfig<C> },
  ): HookRunnerImplementation;
}

/** Runs the hooks of the fifteen events. Make one per session, fire it from the loop, dispose it at the end. */
export const Runner: RunnerClass = HookRunnerImplementation;
export type Runner = HookRunnerImplementation;

function disposed(event: HookEvent): HookError {
  return new HookError(
    'disposed',
    `The runner has been disposed: ${event} can neither be fired nor registered for.`,
  );
}

function tooDeep(event: HookEvent, maxDepth: number): HookError {
  return new HookError(
    'recursion_limit',
    `${event} was fired by a hook of a hook, more than ${maxDepth} deep; look for a hook that fires the event it listens to, or raise maxDepth.`,
  );
}
