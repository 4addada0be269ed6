/** Translates between our event names and those of a dialect's ecosystem, in both directions. */
import { eventNames, isEvent } from '../events/registry.js';
import type { AnyEvent } from '../events/types.js';
import type { Dialect } from './dialect.js';

type Names = Pick<Dialect, 'eventNames'>;

/**
 * Our events that a name in a file of the dialect stands for. Empty: the ecosystem has no such event. Several: it has
 * one event where we have two, such as one for the success and the failure of a tool.
 */
export function eventsNamed(name: string, { eventNames: names }: Names): readonly AnyEvent[] {
  if (names === undefined) return isEvent(name) ? [name] : [];
  return Object.keys(names).filter((event): event is AnyEvent => names[event] === name && isEvent(event));
}

/** The name that the dialect's commands and files use for our event. */
export function nameOfEvent(event: AnyEvent, { eventNames: names }: Names): string {
  return names !== undefined && Object.hasOwn(names, event) ? (names[event] ?? event) : event;
}

/** All names that a file of the dialect can use. */
export function namesInDialect({ eventNames: names }: Names): readonly string[] {
  return names === undefined ? eventNames() : [...new Set(Object.values(names))];
}
