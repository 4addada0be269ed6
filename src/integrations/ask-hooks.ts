/** Runs the hooks for an external host: an error of the runner itself also becomes an outcome. */
import { messageOf, toError } from '../base/errors.js';
import { canPrevent, rowOf } from '../events/registry.js';
import type { AnyEvent, FireInput } from '../events/types.js';
import { emptyOutcome } from '../runner/aggregate.js';
import { type FireOptions, fireAny, type HookRunner } from '../runner/hook-runner.js';
import type { HookOutcome } from '../runner/outcome.js';

/** What happens to an event whose hooks could not be run: it is blocked, or it continues. */
export type ErrorPolicy = 'block' | 'continue';

export interface Asking {
  readonly runner: HookRunner;
  readonly onError: ErrorPolicy;
  /** Called for every problem around the hooks; errors that it throws are ignored. */
  readonly onProblem: (problem: Error) => void;
}

/**
 * Never rejects. If the runner rejects the fire, or the fire is ended by anyone but the caller, some guards have not
 * run: with `block` the outcome is then a deny, if the event can prevent anything.
 */
export async function askHooks<E extends AnyEvent>(
  { runner, onError, onProblem }: Asking,
  event: E,
  input: FireInput<E>,
  options: FireOptions,
): Promise<HookOutcome<E>> {
  try {
    const outcome = await fireAny(runner, event, input, options);
    if (!outcome.aborted || options.signal?.aborted === true) return outcome;
    return outcomeWithoutHooks(event, onError, 'the runner was disposed before they had finished', outcome);
  } catch (error) {
    reportProblem(onProblem, error);
    return outcomeWithoutHooks(event, onError, messageOf(error));
  }
}

/** Events where a deny keeps the agent going are not denied: the agent would never stop. */
function outcomeWithoutHooks<E extends AnyEvent>(
  event: E,
  onError: ErrorPolicy,
  why: string,
  outcome: HookOutcome<E> = emptyOutcome(event) as HookOutcome<E>,
): HookOutcome<E> {
  const { blocks } = rowOf(event);
  const refuses = onError === 'block' && canPrevent(event) && blocks !== 'stopping' && blocks !== 'idling';
  const { decision }: HookOutcome = outcome;
  if (!refuses || decision === 'deny') return outcome;
  return { ...outcome, decision: 'deny', reason: `The hooks of ${event} could not be run: ${why}` };
}

/** Reports a problem; errors of the listener are ignored. */
export function reportProblem(onProblem: (problem: Error) => void, problem: unknown): void {
  try {
    onProblem(toError(problem));
  } catch {
    // It has been reported already.
  }
}
