/** The error for an unknown event name: suggests a similar one, or says that only another host fires it. */
import { HookError, show } from '../base/errors.js';
import { suggest } from '../base/text/suggest.js';
import { hostFiring } from '../events/unsupported-events.js';
import type { Dialect } from './dialect.js';
import { namesInDialect } from './event-names.js';
import type { Diagnostic } from './loaded.js';

/** Never throws; returns the error. */
export function unknownEvent(event: unknown): HookError {
  return new HookError('unknown_event', messageFor(event, namesInDialect({})));
}

/** The same for the hooks of a file. Events of another host are not an error: the file may be shared by both. */
export function unknownEventProblem(
  event: unknown,
  dialect: Pick<Dialect, 'eventNames'> = {},
): Pick<Diagnostic, 'severity' | 'code' | 'message'> {
  const message = `${messageFor(event, namesInDialect(dialect))} Its hooks never run.`;
  return hostOf(event) === undefined
    ? { severity: 'error', code: 'unknown_event', message }
    : { severity: 'warning', code: 'unsupported_event', message };
}

function hostOf(event: unknown): string | undefined {
  return typeof event === 'string' ? hostFiring(event) : undefined;
}

function messageFor(event: unknown, names: readonly string[]): string {
  const host = hostOf(event);
  if (host !== undefined) return `${event} is an event of ${host} that hookline does not fire yet.`;
  const meant = typeof event === 'string' ? suggest(event, names) : undefined;
  const advice = meant === undefined ? `The events are ${names.join(', ')}.` : `Did you mean ${meant}?`;
  return `There is no event ${show(event)}. ${advice}`;
}
