/** Carries out fires: from the caller's input to the outcome, and to the end of everything that was started. */
import { randomUUID } from 'node:crypto';
import { rowOf } from './events/schemas.js';
import type { HookEvent } from './events/types.js';
import type { FireOptions } from './hook-runner.js';
import { BackgroundSet } from './hooks/background.js';
import { Cancellation } from './hooks/cancellation.js';
import type { CommandRuntime } from './hooks/command.js';
import { enterFire, leaveFire, nextDepth } from './hooks/depth.js';
import { EnvFiles } from './hooks/env-files.js';
import type { MessageStream } from './messages/message-stream.js';
import { aggregate, type Precedence } from './pipeline/aggregate.js';
import { capLate, capTexts, SpillStore } from './pipeline/cap-text.js';
import type { Fire } from './pipeline/execute.js';
import { completeInput } from './pipeline/input.js';
import { type LateAnswer, LateAnswers } from './pipeline/late.js';
import type { HookOutcome } from './pipeline/outcome.js';
import type { EventPlans, Plan } from './pipeline/plan.js';
import { runPlan } from './pipeline/run-plan.js';
import { tie, untie } from './pipeline/signals.js';
import { createWire } from './pipeline/wire.js';
import { ProcessPool, type SpawnMode } from './process-pool.js';
import { isSignal, notASignal, tooDeep } from './runner-errors.js';
import type { Settings } from './runner-options.js';

export class Engine {
  readonly #settings: Settings;
  readonly #messages: MessageStream;
  readonly #precedence: () => Precedence;
  readonly #processes: ProcessPool;
  readonly #background: BackgroundSet;
  readonly #envFiles = new EnvFiles();
  readonly #spills = new SpillStore();
  readonly #late = new LateAnswers();
  /** Ends what has outlived its fire. */
  readonly #lifetime = new Cancellation();
  readonly #open = new Map<Cancellation, Promise<unknown> | undefined>();
  readonly #idPrefix = `${randomUUID().slice(0, 8)}-`;
  #lastId = 0;

  constructor(
    settings: Settings,
    spawn: SpawnMode | undefined,
    messages: MessageStream,
    precedence: () => Precedence,
  ) {
    this.#settings = settings;
    this.#messages = messages;
    this.#precedence = precedence;
    this.#processes = new ProcessPool(settings.maxProcesses, spawn);
    this.#background = new BackgroundSet(settings.maxBackground);
  }

  get closed(): boolean {
    return this.#lifetime.cancelled;
  }

  /** What commands need to be started. */
  get commands(): CommandRuntime {
    return { projectDir: this.#settings.base.cwd, envFiles: this.#envFiles, start: this.#processes.start };
  }

  /** Undefined: hooks are registered, but none of them is meant. Throws a HookError for a mistake of the caller. */
  start(
    event: HookEvent,
    own: object,
    options: FireOptions,
    plans: EventPlans,
  ): Promise<HookOutcome> | undefined {
    const depth = nextDepth();
    if (depth > this.#settings.maxDepth) throw tooDeep(event, this.#settings.maxDepth);
    const { agentId, signal, toolUseID } = options;
    if (signal !== undefined && !isSignal(signal)) throw notASignal(event, signal);
    const extra = { agent_id: agentId, tool_use_id: toolUseID };
    const input = completeInput(event, own, this.#settings.base, extra);
    const field = rowOf(event).subject;
    const subject = field === null ? undefined : (input[field] as string);
    const plan = plans.planFor(subject);
    if (plan.stages.length === 0) return undefined;
    const cancellation = new Cancellation();
    const fire: Fire = {
      event,
      name: subject === undefined ? event : `${event}:${subject}`,
      sessionId: input['session_id'] as string,
      toolUseID: toolUseID ?? (input['tool_use_id'] as string | undefined),
      agentId,
      depth,
      maxDepth: this.#settings.maxDepth,
      cancellation,
      messages: this.#messages,
      background: this.#background,
      lifetime: this.#lifetime,
      wire: createWire(event),
      nextHookId: this.#nextHookId,
      onLate: this.#onLate,
    };
    for (const dialect of plan.wires) fire.wire(input, dialect);
    this.#open.set(cancellation, undefined);
    const outcome = this.#carryOut(plan, input, fire, signal);
    this.#open.set(cancellation, outcome);
    return outcome;
  }

  takeLate(agentId: string | undefined): LateAnswer[] {
    return this.#late.take(agentId);
  }

  environmentFiles(): string[] {
    return this.#envFiles.written();
  }

  drain(): Promise<void> {
    return this.#background.drain();
  }

  /** Resolves when the fires that run now have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#open.values());
  }

  async close(): Promise<void> {
    this.#lifetime.cancel();
    for (const cancellation of [...this.#open.keys()]) cancellation.cancel();
    // A hook that calls this before its first await is part of a fire that is only just beginning.
    await Promise.resolve();
    await Promise.allSettled(this.#open.values());
    await this.#background.drain();
    await this.#processes.close();
    this.#envFiles.remove();
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
      const outcome = aggregate(fire.event, stages, this.#precedence(), cancellation.cancelled);
      const capped = capTexts(outcome, this.#settings.maxTextLength, this.#spills);
      return capped instanceof Promise ? await capped : capped;
    } finally {
      leaveFire();
      if (signal !== undefined) untie(signal, cancellation);
      this.#open.delete(cancellation);
    }
  }

  readonly #nextHookId = (): string => {
    this.#lastId += 1;
    return this.#idPrefix + this.#lastId;
  };

  readonly #onLate = async (answer: LateAnswer): Promise<void> => {
    this.#late.add(await capLate(answer, this.#settings.maxTextLength, this.#spills));
  };
}
