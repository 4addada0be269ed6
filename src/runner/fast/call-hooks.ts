/**
 * The hot path behind one function. Most hooks are callbacks that answer at once, so nothing in this folder creates a
 * promise, a closure or a signal before it is needed. Everything outside this folder is plain async code.
 */
import { IndexedSet } from '../../base/async/indexed-set.js';
import { enterFire, leaveFire } from '../../handlers/depth.js';
import type { ExecutedStage } from '../aggregate.js';
import type { HookOutcome } from '../outcome.js';
import type { Plan } from '../plan.js';
import type { Fire } from './fire.js';
import { linkSignal, unlinkSignal } from './link-signal.js';
import { runPlan } from './run-plan.js';

/** Turns the results of a fire's hooks, in plan order, into its outcome. Contract: never throws. */
export type Conclude = (fire: Fire, stages: readonly ExecutedStage[]) => HookOutcome | Promise<HookOutcome>;

/** The fires of one runner that have not ended. */
export class OpenFires {
  readonly #fires = new IndexedSet<Fire>();
  readonly #maxDepth: number;
  readonly #conclude: Conclude;

  constructor(maxDepth: number, conclude: Conclude) {
    this.#maxDepth = maxDepth;
    this.#conclude = conclude;
  }

  /** Runs the hooks of a plan. Contract: never rejects because of a hook. */
  callHooks(plan: Plan, fire: Fire): Promise<HookOutcome> {
    const { signal, cancellation } = fire;
    this.#fires.add(fire);
    fire.batch = enterFire(fire.depth, this.#maxDepth);
    if (signal?.aborted) cancellation.cancel();
    else if (signal !== undefined) linkSignal(signal, cancellation);
    const outcome = runPlan(plan, fire, this.#end);
    if (!(outcome instanceof Promise)) return Promise.resolve(outcome);
    fire.outcome = outcome;
    return outcome;
  }

  /** Aborts all of them. */
  cancel(): void {
    for (const { cancellation } of this.#fires.list()) cancellation.cancel();
  }

  /** Resolves when the fires that are running now have ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#fires.list().map(({ outcome }) => outcome));
  }

  readonly #end: Conclude = (fire, stages) => {
    const outcome = this.#conclude(fire, stages);
    if (outcome instanceof Promise) return outcome.finally(() => this.#leave(fire));
    this.#leave(fire);
    return outcome;
  };

  #leave(fire: Fire): void {
    leaveFire(fire.batch);
    if (fire.signal !== undefined) unlinkSignal(fire.signal, fire.cancellation);
    this.#fires.delete(fire);
  }
}
