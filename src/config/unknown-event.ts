/** The error for an unknown event name: suggests a similar one, or says that only another host fires it. */
import { HookError, show } from '../base/errors.js';
import { suggest } from '../base/text/suggest.js';
import { eventNames } from '../events/registry.js';
import { isForeignEvent } from '../events/unsupported-events.js';
import type { Diagnostic } from './loaded.js';

/** Never throws; returns the error. */
export function unknownEvent(event: unknown): HookError {
  return new HookError('unknown_event', messageFor(event));
}

/** The same for the hooks of a file. Events of another host are not an error: the file may be shared by both. */
export function unknownEventProblem(event: unknown): Pick<Diagnostic, 'severity' | 'code' | 'message'> {
  const foreign = typeof event === 'string' && isForeignEvent(event);
  const message = `${messageFor(event)} Its hooks never run.`;
  return foreign
    ? { severity: 'warning', code: 'unsupported_event', message }
    : { severity: 'error', code: 'unknown_event', message };
}

function messageFor(event: unknown): string {
  if (typeof event === 'string' && isForeignEvent(event))
    return `${event} is an event of Claude Code that hookline does not fire yet.`;
  const meant = typeof event === 'string' ? suggest(event, eventNames()) : undefined;
  const advice =
    meant === undefined ? `The events are ${eventNames().join(', ')}.` : `Did you mean ${meant}?`;
  return `There is no event ${show(event)}. ${advice}`;
}
