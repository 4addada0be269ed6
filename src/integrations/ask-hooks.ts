/** Asks the hooks for a foreign host: whatever goes wrong with the asking itself becomes an outcome too. */
import { messageOf, toError } from '../base/errors.js';
import { canPrevent, rowOf } from '../events/registry.js';
import type { FireInput, HookEvent } from '../events/types.js';
import { emptyOutcome } from '../runner/aggregate.js';
import type { FireOptions, HookRunner } from '../runner/hook-runner.js';
import type { HookOutcome } from '../runner/outcome.js';

/** What becomes of an event about which the hooks could not be asked: it is refused, or it goes on. */
export type ErrorPolicy = 'block' | 'continue';

export interface Asking {
  readonly runner: HookRunner;
  readonly onError: ErrorPolicy;
  /** Told of everything that went wrong around the hooks; what it throws is dropped. */
  readonly onProblem: (problem: Error) => void;
}

/**
 * Never rejects. A fire that was refused by the runner, or ended by anyone but the caller, has not asked every guard:
 * with `block` it is a deny, where there is something left to prevent.
 */
export async function askHooks<E extends HookEvent>(
  { runner, onError, onProblem }: Asking,
  event: E,
  input: FireInput<E>,
  options: FireOptions,
): Promise<HookOutcome<E>> {
  try {
    const outcome = await runner.fire(event, input, options);
    if (!outcome.aborted || options.signal?.aborted === true) return outcome;
    return unasked(event, onError, 'the runner ended before they had answered', outcome);
  } catch (error) {
    tell(onProblem, error);
    return unasked(event, onError, messageOf(error));
  }
}

/** Where a refusal keeps an agent from ending, there is nothing to be afraid of: it would only go on for ever. */
export function unasked<E extends HookEvent>(
  event: E,
  onError: ErrorPolicy,
  why: string,
  outcome: HookOutcome<E> = emptyOutcome(event) as HookOutcome<E>,
): HookOutcome<E> {
  const { blocks } = rowOf(event);
  const refuses = onError === 'block' && canPrevent(event) && blocks !== 'stopping' && blocks !== 'idling';
  if (!refuses || outcome.decision === 'deny') return outcome;
  return { ...outcome, decision: 'deny', reason: `The hooks of ${event} could not be asked: ${why}` };
}

/** Tells of a problem; a listener's own fault is nobody's problem here. */
export function tell(onProblem: (problem: Error) => void, problem: unknown): void {
  try {
    onProblem(toError(problem));
  } catch {
    // It was told.
  }
}
