/** Runs a plan step by step; each hook sees the input as the hooks before it left it. */

import { type Viewed, viewedParts } from '../../base/json/private-view.js';
import type { Dialect } from '../../config/dialect.js';
import { rowOf } from '../../events/registry.js';
import { NO_OPINION } from '../../handlers/verdict.js';
import type { ExecutedStage } from '../aggregate.js';
import type { Plan, Step } from '../plan.js';
import type { CompiledHook } from '../registration/group.js';
import { type Executed, type ExecutionListener, runHook, skipHook } from './execute.js';
import type { Fire } from './fire.js';
import { type PendingCall, pendingCallFor } from './pending-call.js';

type Input = Readonly<Record<string, unknown>>;
type Conclude<T> = (fire: Fire, stages: readonly ExecutedStage[]) => T | Promise<T>;

/**
 * Returns what `conclude` returns for the stages and their hooks, in plan order; synchronously if no hook needed
 * waiting. Contract: throws and rejects only if `conclude` does.
 */
export function runPlan<T>(plan: Plan, fire: Fire, conclude: Conclude<T>): T | Promise<T> {
  return new PlanRun(plan, fire, conclude).start();
}

const NO_STAGES: readonly ExecutedStage[] = Object.freeze([]);

/**
 * The run through a plan. Not an async function: most hooks need no waiting, and a promise for each would cost more
 * than the rest.
 */
class PlanRun<T> implements ExecutionListener {
  declare private steps: readonly Step[];
  declare private readonly fire: Fire;
  declare private readonly conclude: Conclude<T>;
  /** The stages that have ended. */
  declare private stages: readonly ExecutedStage[];
  /** The sequential results since then: one stage. Stage boundaries between them no longer matter. */
  declare private inTurn: Executed[] | undefined;
  /** The input as the hooks so far have left it. */
  declare private input: Input;
  declare parts: Viewed | undefined;
  /** Index of the next step. */
  declare private at: number;
  /** Hooks whose condition the input did not meet. */
  declare private skipped: CompiledHook[] | undefined;
  /** Dialects whose deferred conditions need no further check. */
  declare private settled: Set<Dialect> | undefined;
  declare private ownWaiting: PendingCall | undefined;
  declare private resolve: ((value: T | Promise<T>) => void) | undefined;

  constructor(plan: Plan, fire: Fire, conclude: Conclude<T>) {
    this.steps = plan.steps;
    this.fire = fire;
    this.conclude = conclude;
    this.stages = NO_STAGES;
    this.inTurn = undefined;
    this.input = fire.input;
    this.parts = fire.parts;
    this.at = 0;
    this.skipped = undefined;
    this.settled = undefined;
    this.ownWaiting = undefined;
    this.resolve = undefined;
  }

  get pendingCall(): PendingCall {
    const pendingCall = this.ownWaiting;
    return pendingCall === undefined || pendingCall.spent ? this.renewPendingCall() : pendingCall;
  }

  private renewPendingCall(): PendingCall {
    this.ownWaiting?.close();
    this.ownWaiting = pendingCallFor(this.fire.cancellation);
    return this.ownWaiting;
  }

  start(): T | Promise<T> {
    if (this.advance()) return this.end();
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /** Called when a hook that ran alone, and had to be awaited, has ended. */
  onExecuted(executed: Executed): void {
    this.take(this.steps[this.at] as Step, executed);
    this.goOn();
  }

  private goOn(): void {
    try {
      if (this.advance()) this.resolve?.(this.end());
    } catch (error) {
      this.resolve?.(Promise.reject(error));
    }
  }

  private end(): T | Promise<T> {
    this.ownWaiting?.close();
    this.endStage();
    return this.conclude(this.fire, this.stages);
  }

  private endStage(): void {
    if (this.inTurn === undefined) return;
    const stage = { parallel: false, hooks: this.inTurn };
    this.stages = this.stages === NO_STAGES ? [stage] : this.stages.concat(stage);
    this.inTurn = undefined;
  }

  /** Runs until there is something to wait for; true at the end. */
  private advance(): boolean {
    for (;;) {
      if (this.skipped !== undefined) this.addSkipped();
      const step = this.steps[this.at];
      if (step === undefined) return true;
      if (!(step.parallel ? this.runTogether(step.hooks) : this.runAlone(step))) return false;
    }
  }

  /**
   * A rewritten input may meet conditions that the original did not. Those hooks run after all others, but before
   * groups with `last`.
   */
  private addSkipped(): void {
    const skipped = this.skipped as readonly CompiledHook[];
    const next = this.steps[this.at];
    const isDue = next === undefined || next.hooks[0]?.group.last === true;
    if (!isDue || this.input === this.fire.input) return;
    this.skipped = undefined;
    const applicable = skipped.filter((hook) => this.appliesTo(hook));
    if (applicable.length === 0) return;
    const added = applicable.map((hook, i) => ({
      parallel: false,
      hooks: [hook],
      nextStage: this.at + i + 1,
    }));
    const later = this.steps.slice(this.at);
    const moved = later.map((step) => ({ ...step, nextStage: step.nextStage + added.length }));
    this.steps = [...this.steps.slice(0, this.at), ...added, ...moved];
  }

  private runAlone(step: Step): boolean {
    const hook = step.hooks[0] as CompiledHook;
    if (!this.appliesTo(hook)) {
      this.at += 1;
      return true;
    }
    const executed = this.begin(hook, this);
    if (executed === undefined) return false;
    this.take(step, executed);
    return true;
  }

  /** `continue: false` ends the hook's own stage. */
  private take(step: Step, executed: Executed): void {
    if (this.inTurn === undefined) this.inTurn = [executed];
    else this.inTurn.push(executed);
    const { dialect } = (step.hooks[0] as CompiledHook).group;
    if (executed.verdict !== NO_OPINION || dialect.endsFire !== undefined)
      this.applyRewrites(dialect, executed);
    this.at = executed.result.continue === false ? step.nextStage : this.at + 1;
  }

  /** All hooks see the same input; their answers are applied in plan order when the last one has ended. */
  private runTogether(hooks: readonly CompiledHook[]): boolean {
    const applicable = hooks.filter((hook) => this.appliesTo(hook));
    const ran: Executed[] = new Array(applicable.length);
    let missing = applicable.length;
    let allBegan = false;
    const end = (): void => {
      this.endStage();
      this.stages = [...this.stages, { parallel: true, hooks: ran }];
      for (const [i, executed] of ran.entries())
        this.applyRewrites((applicable[i] as CompiledHook).group.dialect, executed);
      this.at += 1;
    };
    for (const [i, hook] of applicable.entries()) {
      const pendingCall = pendingCallFor(this.fire.cancellation);
      const keep = (executed: Executed): void => {
        pendingCall.close();
        ran[i] = executed;
        missing -= 1;
        if (missing > 0 || !allBegan) return;
        end();
        this.goOn();
      };
      // A hook that starts now must not lose the time that the hooks before it took to start.
      this.fire.readClock();
      const executed = this.begin(hook, { pendingCall, parts: this.parts, onExecuted: keep });
      if (executed !== undefined) keep(executed);
    }
    allBegan = true;
    if (missing === 0) end();
    return missing === 0;
  }

  private appliesTo(hook: CompiledHook): boolean {
    return (hook.applies === undefined && this.settled === undefined) || this.meetsCondition(hook);
  }

  private meetsCondition(hook: CompiledHook): boolean {
    if (this.settled?.has(hook.group.dialect)) return false;
    if (hook.applies === undefined || isMet(hook.applies, this.input)) return true;
    this.skipped ??= [];
    this.skipped.push(hook);
    return false;
  }

  /** Once the fire is aborted, no further hook starts. */
  private begin(hook: CompiledHook, listener: ExecutionListener): Executed | undefined {
    const { fire } = this;
    return fire.cancellation.cancelled ? skipHook(hook, fire) : runHook(hook, this.input, fire, listener);
  }

  /** Applies what a hook's answer means for the hooks after it. */
  private applyRewrites(dialect: Dialect, { result, verdict }: Executed): void {
    if (dialect.endsFire !== undefined && endsFire(dialect, this.fire, result.decision)) {
      this.settled ??= new Set();
      this.settled.add(dialect);
    }
    if (verdict.updatedInput === undefined && verdict.hasUpdatedOutput !== true) return;
    const merges = dialect.mergesForNext?.(this.fire.event) === true;
    this.input = rewritten(this.input, verdict, this.fire, merges);
    this.parts = viewedParts(this.input);
  }
}

/** A condition that cannot be evaluated counts as met: the hook may be a guard. */
function isMet(applies: NonNullable<CompiledHook['applies']>, input: Input): boolean {
  try {
    return applies(input);
  } catch {
    return true;
  }
}

function endsFire(dialect: Dialect, { event }: Fire, decision: Executed['result']['decision']): boolean {
  try {
    return dialect.endsFire?.(event, decision) === true;
  } catch {
    return false;
  }
}

function rewritten(input: Input, verdict: Executed['verdict'], { event }: Fire, merges: boolean): Input {
  const { rewrites } = rowOf(event);
  const { updatedInput } = verdict;
  return {
    ...input,
    ...(rewrites.input !== undefined &&
      updatedInput !== undefined && {
        [rewrites.input]: merges ? { ...(input[rewrites.input] as object), ...updatedInput } : updatedInput,
      }),
    ...(rewrites.output !== undefined &&
      verdict.hasUpdatedOutput === true && { [rewrites.output]: verdict.updatedOutput }),
  };
}
