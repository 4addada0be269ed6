/** Folds the results of a fire's hooks into one outcome. Pure: the same results always give the same outcome. */
import { ALL_EVENTS, isEvent } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import { NO_OPINION, type PermissionDecision } from '../handlers/verdict.js';
import type { Executed } from './fast/execute.js';
import { foldHook, NONE, NOTHING_SAID, noteConflicts, type Unfinished } from './fold-fields.js';
import type { HookResult, WholeOutcome } from './outcome.js';

/** Which decision wins when one hook allows and another asks. A deny always wins. */
export type Precedence = 'allow-over-ask' | 'ask-over-allow';

/** The hooks of one stage, in plan order, regardless of the order in which they finished. */
export interface ExecutedStage {
  readonly parallel: boolean;
  readonly hooks: readonly Executed[];
}

/** The higher rank wins. */
const RANKING: Readonly<Record<Precedence, Readonly<Record<PermissionDecision, number>>>> = {
  'allow-over-ask': { deny: 4, defer: 3, allow: 2, ask: 1 },
  'ask-over-allow': { deny: 4, defer: 3, ask: 2, allow: 1 },
};

/** The outcome of a fire in which no hook answered anything. Its empty lists are shared and never written to. */
export function emptyOutcome<E extends AnyEvent>(
  event: E,
  aborted = false,
  results: readonly HookResult[] = NONE,
): WholeOutcome<E> {
  const outcome = writtenOut(event, aborted, results);
  if (FURTHER.length > 0) Object.assign(outcome, Object.fromEntries(FURTHER));
  return outcome as WholeOutcome<E>;
}

/** A literal, because copying an object here made a fire with a decision take more than twice as long. */
function writtenOut(
  event: AnyEvent,
  aborted: boolean,
  results: readonly HookResult[],
): Partial<WholeOutcome> {
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

/** Fields of the table that the literal above does not have. */
const FURTHER = Object.entries(NOTHING_SAID).filter(
  ([field]) => !(field in writtenOut(ALL_EVENTS[0], false, NONE)),
);

/** Outcomes of fires without hooks: one promise per event, created once and shared. */
const nothing = new Map<string, Promise<WholeOutcome>>();

/** Undefined: there is no such event. */
export function nothingHappened(event: AnyEvent): Promise<WholeOutcome> | undefined {
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
): WholeOutcome {
  const outcome = emptyOutcome(event, aborted, resultsOf(stages)) as Unfinished;
  for (let i = 0; i < stages.length; i++) {
    const { parallel, hooks } = stages[i] as ExecutedStage;
    if (parallel) noteConflicts(outcome, hooks);
    for (let j = 0; j < hooks.length; j++) foldHook(outcome, hooks[j] as Executed);
  }
  foldDecision(outcome, RANKING[precedence]);
  return outcome;
}

export function resultsOf(stages: readonly ExecutedStage[]): HookResult[] {
  const hooks = stages.length === 1 ? (stages[0] as ExecutedStage).hooks : stages.flatMap(hooksOf);
  return hooks.length === 1 ? [(hooks[0] as Executed).result] : hooks.map(resultOf);
}

function hooksOf({ hooks }: ExecutedStage): readonly Executed[] {
  return hooks;
}

function resultOf({ result }: Executed): HookResult {
  return result;
}

/** Whether any hook of the stage has something to fold. */
export function saysSomething({ hooks }: ExecutedStage): boolean {
  for (let i = 0; i < hooks.length; i++) {
    const { verdict, pending } = hooks[i] as Executed;
    if (verdict !== NO_OPINION || pending !== undefined) return true;
  }
  return false;
}

/** The reason comes from the first hook, in plan order, that gave the winning decision. */
function foldDecision(outcome: Unfinished, ranking: Readonly<Record<PermissionDecision, number>>): void {
  let winner: HookResult | undefined;
  let highest = 0;
  let reason: string | undefined;
  const { results } = outcome;
  for (let i = 0; i < results.length; i++) {
    const result = results[i] as HookResult;
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
