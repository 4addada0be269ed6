/** Folds what the hooks of a fire said into one outcome. Pure: the same results give the same outcome, always. */
import { isEvent } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import { NO_OPINION, type PermissionDecision } from '../handlers/verdict.js';
import type { Executed } from './fast/execute.js';
import type { HookNote, HookOutcome, HookResult } from './outcome.js';

/** Who wins where one hook allows and another one asks. A deny always wins. */
export type Precedence = 'allow-over-ask' | 'ask-over-allow';

/** The hooks of one stage, in plan order, whatever order they finished in. */
export interface ExecutedStage {
  readonly parallel: boolean;
  readonly hooks: readonly Executed[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

/** The higher one wins. */
const RANKING: Readonly<Record<Precedence, Readonly<Record<PermissionDecision, number>>>> = {
  'allow-over-ask': { deny: 4, defer: 3, allow: 2, ask: 1 },
  'ask-over-allow': { deny: 4, defer: 3, ask: 2, allow: 1 },
};

const NONE: readonly never[] = Object.freeze([]);

/** The outcome of a fire in which no hook had anything to say. Its lists are shared: they are never written to. */
export function emptyOutcome(
  event: AnyEvent,
  aborted = false,
  results: readonly HookResult[] = NONE,
): HookOutcome {
  return {
    event,
    results,
    suppressOutput: false,
    systemMessages: NONE,
    additionalContext: NONE,
    hookSpecificOutputs: NONE,
    injections: NONE,
    failures: NONE,
    pending: NONE,
    notes: NONE,
    aborted,
  };
}

/** For fires that nobody listens to: one promise per event, made once and shared by all. */
const nothing = new Map<string, Promise<HookOutcome>>();

/** Undefined: there is no such event. */
export function nothingHappened(event: AnyEvent): Promise<HookOutcome> | undefined {
  if (!isEvent(event)) return undefined;
  let outcome = nothing.get(event);
  if (outcome === undefined) {
    outcome = Promise.resolve(Object.freeze(emptyOutcome(event)));
    nothing.set(event, outcome);
  }
  return outcome;
}

export function aggregate(
  event: AnyEvent,
  stages: readonly ExecutedStage[],
  precedence: Precedence,
  aborted: boolean,
): HookOutcome {
  const outcome = emptyOutcome(event, aborted, resultsOf(stages)) as Mutable<HookOutcome>;
  // Most hooks watch and say nothing: then there is nothing to fold.
  if (stages.some(saysSomething)) {
    for (const { parallel, hooks } of stages) {
      if (parallel) noteConflicts(outcome, hooks);
      for (const executed of hooks) foldHook(outcome, executed);
    }
    foldDecision(outcome, RANKING[precedence]);
  }
  return outcome;
}

function resultsOf(stages: readonly ExecutedStage[]): HookResult[] {
  const hooks = stages.length === 1 ? (stages[0] as ExecutedStage).hooks : stages.flatMap(hooksOf);
  return hooks.length === 1 ? [(hooks[0] as Executed).result] : hooks.map(resultOf);
}

function hooksOf({ hooks }: ExecutedStage): readonly Executed[] {
  return hooks;
}

function resultOf({ result }: Executed): HookResult {
  return result;
}

function saysSomething({ hooks }: ExecutedStage): boolean {
  for (let i = 0; i < hooks.length; i++) {
    const { verdict, pending } = hooks[i] as Executed;
    if (verdict !== NO_OPINION || pending !== undefined) return true;
  }
  return false;
}

function foldHook(outcome: Mutable<HookOutcome>, { result, verdict, pending }: Executed): void {
  if (result.continue === false && outcome.continue !== false) {
    outcome.continue = false;
    if (result.stopReason !== undefined) outcome.stopReason = result.stopReason;
  } else if (result.continue === true) outcome.continue ??= true;
  if (result.suppressOutput === true) outcome.suppressOutput = true;
  if (verdict.updatedInput !== undefined) outcome.updatedInput = verdict.updatedInput;
  if (verdict.hasUpdatedOutput === true) outcome.updatedOutput = verdict.updatedOutput;
  if (result.systemMessage !== undefined) add(outcome, 'systemMessages', result.systemMessage);
  if (verdict.additionalContext !== undefined) add(outcome, 'additionalContext', verdict.additionalContext);
  if (result.hookSpecificOutput !== undefined) add(outcome, 'hookSpecificOutputs', result.hookSpecificOutput);
  if (result.failure !== undefined) add(outcome, 'failures', result.failure);
  if (pending !== undefined) add(outcome, 'pending', pending);
  if (verdict.injections !== undefined)
    for (const injection of verdict.injections) add(outcome, 'injections', injection);
  if (verdict.notes !== undefined) for (const message of verdict.notes) note(outcome, result, message);
}

/** Within the winning decision, the first hook in plan order gives the reason. */
function foldDecision(
  outcome: Mutable<HookOutcome>,
  ranking: Readonly<Record<PermissionDecision, number>>,
): void {
  let winner: HookResult | undefined;
  let highest = 0;
  let reason: string | undefined;
  for (const result of outcome.results) {
    reason ??= result.reason;
    const rank = result.decision === undefined ? 0 : ranking[result.decision];
    if (rank <= highest) continue;
    highest = rank;
    winner = result;
  }
  if (winner?.decision !== undefined) {
    outcome.decision = winner.decision;
    reason = winner.reason ?? (winner.decision === 'deny' ? `Refused by the hook ${winner.name}` : undefined);
  }
  if (reason !== undefined) outcome.reason = reason;
}

/** Two hooks that ran side by side rewrote the same thing: the later one in plan order wins, and it is said. */
function noteConflicts(outcome: Mutable<HookOutcome>, hooks: readonly Executed[]): void {
  const rewritten = { input: false, output: false };
  for (const { result, verdict } of hooks) {
    if (verdict.updatedInput !== undefined) {
      if (rewritten.input)
        note(outcome, result, 'its rewritten input replaces that of a hook that ran in parallel');
      rewritten.input = true;
    }
    if (verdict.hasUpdatedOutput === true) {
      if (rewritten.output)
        note(outcome, result, 'its rewritten output replaces that of a hook that ran in parallel');
      rewritten.output = true;
    }
  }
}

function note(
  outcome: Mutable<HookOutcome>,
  { hookId, name }: Pick<HookNote, 'hookId' | 'name'>,
  message: string,
): void {
  add(outcome, 'notes', { hookId, name, message });
}

type Lists = Exclude<
  { [K in keyof HookOutcome]: HookOutcome[K] extends readonly unknown[] ? K : never }[keyof HookOutcome],
  undefined
>;

/** Empty lists are one shared frozen list, so the first entry makes a list of its own. */
function add<K extends Lists>(outcome: Mutable<HookOutcome>, list: K, item: HookOutcome[K][number]): void {
  const current = outcome[list] as unknown[];
  if ((current as readonly unknown[]) === NONE) (outcome[list] as unknown[]) = [item];
  else current.push(item);
}
