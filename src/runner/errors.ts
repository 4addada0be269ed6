/** Errors for mistakes of a caller that only a runner can detect. */
import { HookError, show } from '../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../base/text/known-options.js';
import type { AnyEvent } from '../events/types.js';
import type { FireOptions } from './hook-runner.js';

export { unknownEvent } from '../config/unknown-event.js';

const FIRE_OPTIONS: OptionNames<FireOptions> = { signal: true, toolUseID: true, agentId: true };

/** The agent whose hooks run. A misspelt option would skip the hooks of that agent, so it is refused. */
export function agentOf(options: FireOptions | undefined): string | undefined {
  if (options === undefined) return undefined;
  // Every fire comes through here: three comparisons cost less than listing keys.
  for (const name in options) {
    if (name !== 'agentId' && name !== 'signal' && name !== 'toolUseID')
      refuseUnknownOptions('fire', options, FIRE_OPTIONS);
  }
  return options.agentId;
}

export function disposed(event: AnyEvent | 'use'): HookError {
  const what =
    event === 'use' ? 'no configuration can be used' : `${event} can neither be fired nor registered for`;
  return new HookError('disposed', `The runner has been disposed: ${what}.`);
}

/** Throws a HookError unless the value is an AbortSignal, of this realm or another. */
export function checkSignal(event: AnyEvent, signal: unknown): void {
  if (signal instanceof AbortSignal || isSignal(signal)) return;
  throw new HookError('invalid_option', `The signal of ${event} is ${show(signal)}; give an AbortSignal.`);
}

function isSignal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value;
}

export function tooDeep(event: AnyEvent, maxDepth: number): HookError {
  return new HookError(
    'recursion_limit',
    `${event} was fired from inside its own hooks, more than ${maxDepth} levels deep. Look for a hook that fires the event it listens to, or raise maxDepth.`,
  );
}

export function notAnAgent(agentId: unknown): HookError {
  return new HookError('invalid_option', `The agent's id is ${show(agentId)}; give a string.`);
}

export function globalOverride(event: AnyEvent): HookError {
  const message = `override of a ${event} group is for one agent; use runner.forAgent(id).on(...).`;
  return new HookError('invalid_option', message);
}
