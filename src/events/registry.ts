/** All known events: those of the table, and those that an application defines. */
import { z } from 'zod';
import { HookError, show } from '../base/errors.js';
import { lazy } from '../base/lazy.js';
import { fieldsOf } from './field.js';
import type { EventRow, RowFields, Shape } from './row.js';
import { extended, lifecycle } from './table.js';
import type { AnyEvent, ExtendedEvent, HookEvent } from './types.js';

/** The fifteen names, in the table's order. */
export const HOOK_EVENTS: readonly [HookEvent, ...HookEvent[]] = Object.freeze(
  Object.keys(lifecycle),
) as never;

/** The fifteen, followed by the extended events that newer hosts have. */
export const ALL_EVENTS: readonly [AnyEvent, ...AnyEvent[]] = Object.freeze([
  ...HOOK_EVENTS,
  ...(Object.keys(extended) as ExtendedEvent[]),
]) as never;

const builtIn: ReadonlyMap<string, EventRow & { readonly fields: RowFields }> = new Map(
  Object.entries({ ...lifecycle, ...extended }),
);
/** By name, for the whole process: a name means the same to every runner, loader and dialect. */
const defined = new Map<string, { readonly row: () => EventRow; readonly fields: () => RowFields }>();

/** Whether a name is one of the fifteen. Takes anything, never throws. */
export function isHookEvent(name: unknown): name is HookEvent {
  return typeof name === 'string' && Object.hasOwn(lifecycle, name);
}

/** Whether an event of this name exists, in the table or defined by the application. */
export function isEvent(name: unknown): name is AnyEvent {
  return typeof name === 'string' && (builtIn.has(name) || defined.has(name));
}

/** All event names, for suggestions. */
export function eventNames(): readonly string[] {
  return [...ALL_EVENTS, ...defined.keys()];
}

/** The row of an event. Contract: `isEvent(event)`. */
export function rowOf(event: AnyEvent): EventRow {
  return (builtIn.get(event) ?? defined.get(event)?.row()) as EventRow;
}

/** The fields of an event, for code that needs no schema. Contract: `isEvent(event)`. */
export function fieldsOfEvent(event: AnyEvent): RowFields {
  return (builtIn.get(event)?.fields ?? defined.get(event)?.fields()) as RowFields;
}

/** Whether a refusal prevents something on this event. */
export function canPrevent(event: AnyEvent): boolean {
  const { blocks } = rowOf(event);
  return blocks !== 'nothing' && blocks !== 'feedback';
}

/** Whether an answer can refuse or change something: what is done, or what the model reads of it. */
export function canInterfere(event: AnyEvent): boolean {
  return rowOf(event).blocks !== 'nothing';
}

/** Registers an application's events. Throws a HookError, code `invalid_option`. */
export function registerEvents(definitions: Readonly<Record<string, EventRow>> | undefined): void {
  if (definitions === undefined) return;
  if (typeof definitions !== 'object' || definitions === null)
    throw new HookError(
      'invalid_option',
      `events is ${show(definitions)}; give { PreDeploy: defineEvent(…) }.`,
    );
  for (const [name, row] of Object.entries(definitions)) {
    const known = defined.get(name)?.row();
    if (known !== undefined && (known === row || isSame(known, row))) continue;
    const problem = problemOf(name, row, known);
    if (problem !== undefined) throw new HookError('invalid_option', `The event ${show(name)} ${problem}.`);
    define(name, () => row);
  }
}

/** The same for events that are seldom used: their definitions are asked for when they are. Contract: they are valid. */
export function registerLazily(definitions: Readonly<Record<string, () => EventRow>>): void {
  for (const [name, row] of Object.entries(definitions)) if (!defined.has(name)) define(name, row);
}

function define(name: string, row: () => EventRow): void {
  const fields = lazy(() => ({ input: fieldsOf(row().input), answer: fieldsOf(row().answer) }));
  defined.set(name, { row, fields });
}

/** A module that is imported twice defines its events twice. */
function isSame(one: EventRow, other: EventRow): boolean {
  const written = ({ input, answer, ...rest }: EventRow): string =>
    JSON.stringify([rest, ...[input, answer].map((shape) => toJson(shape))]);
  try {
    return written(one) === written(other);
  } catch {
    return false;
  }
}

function toJson(shape: Shape): unknown {
  return z.toJSONSchema(z.object(shape), { unrepresentable: 'any' });
}

function problemOf(name: string, row: unknown, known: EventRow | undefined): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name))
    return 'cannot be used: use letters, digits and _, as in PreDeploy';
  if (builtIn.has(name)) return 'exists already: choose another name';
  if (known !== undefined)
    return 'is defined twice in this process, in different ways: define it once and share the definition';
  const { input, answer, blocks } = (row ?? {}) as Partial<EventRow>;
  return typeof input === 'object' && typeof answer === 'object' && typeof blocks === 'string'
    ? undefined
    : 'has no definition: make one with defineEvent';
}
