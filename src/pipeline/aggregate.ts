/** Folds what the hooks of a fire said into one outcome. Pure: the same results give the same outcome, always. */
import { HOOK_EVENTS } from '../events/schemas.js';
import type { HookEvent } from '../events/types.js';
import type { PermissionDecision } from '../hooks/verdict.js';
import type { Executed } from './execute.js';
import type { HookNote, HookOutcome } from './outcome.js';

/** Who wins where one hook allows and another one asks. A deny always wins. */
export type Precedence = 'allow-over-ask' | 'ask-over-allow';

/** The hooks of one stage, in plan order, whatever order they finished in. */
export interface ExecutedStage {
  readonly parallel: boolean;
  readonly hooks: readonly Executed[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] };

const RANKING: Readonly<Record<Precedence, readonly PermissionDecision[]>> = {
  'allow-over-ask': ['deny', 'defer', 'allow', 'ask'],
  'ask-over-allow': ['deny', 'defer', 'ask', 'allow'],
};

const NONE: readonly never[] = Object.freeze([]);

/** The outcome of a fire in which no hook had anything to say. Its lists are shared: they are never written to. */
export function emptyOutcome(event: HookEvent, aborted = false): HookOutcome {
  return {
    event,
    results: NONE,
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
export const NOTHING_HAPPENED: ReadonlyMap<string, Promise<HookOutcome>> = new Map(
  HOOK_EVENTS.map((event) => [event, Promise.resolve(Object.freeze(emptyOutcome(event)))] as const),
);

export function aggregate(
  event: HookEvent,
  stages: readonly ExecutedStage[],
  precedence: Precedence,
  aborted: boolean,
): HookOutcome {
  const outcome: Mutable<HookOutcome> = {
    ...(emptyOutcome(event, aborted) as Mutable<HookOutcome>),
    results: [],
  };
  for (const stage of stages) {
    const rewritten = { input: false, output: false };
    for (const executed of stage.hooks) {
      if (stage.parallel) noteConflict(outcome, executed, rewritten);
      foldHook(outcome, executed);
    }
  }
  foldDecision(outcome, RANKING[precedence]);
  return outcome;
}

function foldHook(outcome: Mutable<HookOutcome>, { result, verdict, pending }: Executed): void {
  outcome.results.push(result);
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
  for (const injection of verdict.injections ?? NONE) add(outcome, 'injections', injection);
  for (const message of verdict.notes ?? NONE) note(outcome, result, message);
}

/** Within the winning decision, the first hook in plan order gives the reason. */
function foldDecision(outcome: Mutable<HookOutcome>, ranking: readonly PermissionDecision[]): void {
  for (const decision of ranking) {
    const deciding = outcome.results.filter((result) => result.decision === decision);
    const first = deciding[0];
    if (first === undefined) continue;
    outcome.decision = decision;
    const reason = first.reason ?? (decision === 'deny' ? `Refused by the hook ${first.name}` : undefined);
    if (reason !== undefined) outcome.reason = reason;
    return;
  }
  const reason = outcome.results.find((result) => result.reason !== undefined)?.reason;
  if (reason !== undefined) outcome.reason = reason;
}

/** Two hooks that ran side by side rewrote the same thing: the later one in plan order wins, and it is said. */
function noteConflict(
  outcome: Mutable<HookOutcome>,
  { result, verdict }: Executed,
  rewritten: { input: boolean; output: boolean },
): void {
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
