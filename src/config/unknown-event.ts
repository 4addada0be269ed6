/** What to say about event names: unknown ones, with a suggestion, and those that the agent loop never fires. */
import { HookError, show } from '../base/errors.js';
import { suggest } from '../base/text/suggest.js';
import { rowOf } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import type { Dialect } from './dialect.js';
import { namesInDialect } from './event-names.js';
import type { Diagnostic, LoadedConfig } from './loaded.js';

/** Never throws; returns the error. */
export function unknownEvent(event: unknown): HookError {
  return new HookError('unknown_event', messageFor(event, namesInDialect({})));
}

/** The same for the hooks of a file. */
export function unknownEventProblem(
  event: unknown,
  dialect: Pick<Dialect, 'eventNames'> = {},
): Pick<Diagnostic, 'severity' | 'code' | 'message'> {
  const message = `${messageFor(event, namesInDialect(dialect))} Its hooks never run.`;
  return { severity: 'error', code: 'unknown_event', message };
}

function messageFor(event: unknown, names: readonly string[]): string {
  const meant = typeof event === 'string' ? suggest(event, names) : undefined;
  const advice = meant === undefined ? `The events are ${names.join(', ')}.` : `Did you mean ${meant}?`;
  return `There is no event ${show(event)}. ${advice}`;
}

/** A warning for every group whose event the loop never fires: the file may be shared with a host that does. */
export function unfiredProblems({ groups }: Pick<LoadedConfig, 'groups'>): readonly Diagnostic[] {
  return groups.flatMap(({ event, source, hooks }) =>
    rowOf(event).unfired === '' || hooks.length === 0
      ? []
      : [{ severity: 'warning', code: 'unsupported_event', message: unfiredText(event), source }],
  );
}

export function unfiredText(event: AnyEvent): string {
  return `The agent of hookline never fires ${event}: ${rowOf(event).unfired}. These hooks run in Claude Code, through the adapter for its Agent SDK, and where your own code fires ${event}.`;
}
