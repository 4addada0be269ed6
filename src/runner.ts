/** The runner: whom it knows, what it fires, and how it ends. */
import { randomUUID } from 'node:crypto';
import { compileGroup, type GroupDefaults } from './config/group.js';
import type { LoadedConfig } from './config/loaded.js';
import { type Registration, readConfig, readRegistration, unknownEvent } from './config/read.js';
import { Registry } from './config/registry.js';
import type { HookWarning, MatcherOptions, SdkHookConfig } from './config/types.js';
import { compileLoaded } from './config/use.js';
import { resolveDialect } from './dialects/index.js';
import { isHookEvent, rowOf } from './events/schemas.js';
import type { FireInput, HookEvent } from './events/types.js';
import type { AgentRunner, Disposer, FireOptions, HookRegistrar, HookRunner } from './hook-runner.js';
import { BackgroundSet } from './hooks/background.js';
import { Cancellation } from './hooks/cancellation.js';
import { enterFire, leaveFire, nextDepth } from './hooks/depth.js';
import { MessageStream } from './messages/message-stream.js';
import { aggregate, NOTHING_HAPPENED, type Precedence } from './pipeline/aggregate.js';
import { capTexts, SpillStore } from './pipeline/cap-text.js';
import type { Fire } from './pipeline/execute.js';
import { type Explanation, explain } from './pipeline/explain.js';
import { completeInput } from './pipeline/input.js';
import { type LateAnswer, LateAnswers } from './pipeline/late.js';
import type { HookOutcome } from './pipeline/outcome.js';
import { type EventPlans, type Plan, Planner } from './pipeline/plan.js';
import { runPlan } from './pipeline/run-plan.js';
import { tie, untie } from './pipeline/signals.js';
import { createWire } from './pipeline/wire.js';
import { ProcessPool } from './process-pool.js';
import { disposed, isSignal, notASignal, tooDeep } from './runner-errors.js';
import { type RunnerOptions, readOptions, type Settings } from './runner-options.js';

const NO_OPTIONS: FireOptions = Object.freeze({});

class HookRunnerImplementation implements HookRunner, HookRegistrar<MatcherOptions> {
  readonly #settings: Settings;
  readonly #registry = new Registry();
  readonly #planner = new Planner(this.#registry);
  readonly #background: BackgroundSet;
  readonly #spills = new SpillStore();
  readonly #processes: ProcessPool;
  /** Ends what has outlived its fire. */
  readonly #lifetime = new Cancellation();
  readonly #openFires = new Map<Cancellation, Promise<unknown> | undefined>();
  readonly #warnings: HookWarning[] = [];
  readonly #groupDefaults: GroupDefaults;
  readonly #idPrefix = `${randomUUID().slice(0, 8)}-`;
  /** Undefined: nobody has said. */
  #precedence: Precedence | undefined;
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
    this.#precedence = this.#settings.precedence;
    this.messages = new MessageStream(options.onListenerError);
    this.#background = new BackgroundSet(this.#settings.maxBackground);
    this.#processes = new ProcessPool(this.#settings.maxProcesses, options.spawn);
    this.#groupDefaults = {
      ...this.#settings.group,
      commands: { projectDir: this.#settings.base.cwd, start: this.#processes.start },
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
      on: (event: HookEvent, ...rest: readonly unknown[]) =>
        this.#register(readRegistration(event, rest), agentId),
      fire: (event, input, options) => this.fire(event, input, { ...options, agentId }),
    };
  }

  /** Registers all that a file says and returns the way to take it out. Hooks that will not run are in `warnings`. */
  use(config: LoadedConfig): Disposer {
    if (this.#lifetime.cancelled) throw disposed('use');
    const used = compileLoaded(config, resolveDialect, this.#groupDefaults);
    const outer = this.#precedence;
    this.#precedence ??= config.precedence;
    const disposers = used.map(({ group, agentId, override }) =>
      this.#registry.add(group, agentId, override),
    );
    return () => {
      for (const dispose of disposers) dispose();
      this.#precedence = outer;
    };
  }

  /** Which hooks a fire would run, in which order, and which not and why. Runs nothing. */
  explain<E extends HookEvent>(event: E, input: Partial<FireInput<E>>, options?: FireOptions): Explanation {
    if (!isHookEvent(event)) throw unknownEvent(event);
    const field = rowOf(event).subject;
    const full = { ...this.#settings.base, hook_event_name: event, ...input } as Readonly<
      Record<string, unknown>
    >;
    const subject = field === null ? undefined : String(full[field] ?? '');
    return explain(event, this.#registry.groupsFor(event, options?.agentId), subject, full);
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
    for (const cancellation of [...this.#openFires.keys()]) cancellation.cancel();
    // A hook that calls this before its first await is part of a fire that is only just beginning.
    await Promise.resolve();
    await Promise.allSettled(this.#openFires.values());
    await this.#background.drain();
    await this.#processes.close();
    this.messages.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  #register({ event, options, hooks }: Registration, agentId?: string): Disposer {
    if (this.#lifetime.cancelled) throw disposed(event);
    const entries = hooks.map((hook) => ({ hook }));
    const group = compileGroup(event, options, entries, resolveDialect(options.dialect), this.#groupDefaults);
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
    if (signal !== undefined && !isSignal(signal)) throw notASignal(event, signal);
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
    for (const dialect of plan.wires) fire.wire(input, dialect);
    this.#openFires.set(cancellation, undefined);
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
      const precedence = this.#precedence ?? 'allow-over-ask';
      const outcome = aggregate(fire.event, stages, precedence, cancellation.cancelled);
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
