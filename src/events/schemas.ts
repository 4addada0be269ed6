/** The zod schemas of every event's input and answer, built from the table on first use. */
import { z } from 'zod';
import { lazy } from '../base/lazy.js';
import { type FastTest, isOneOf, isUnsure } from './fast-validators.js';
import { type Fields, schemasOf } from './field.js';
import { baseFields, commonAnswer } from './fields.js';
import { permissionAnswer } from './permission-fields.js';
import { fieldsOfEvent, rowOf } from './registry.js';
import type { AnyEvent } from './types.js';

function remember<T>(build: (event: AnyEvent) => T): (event: AnyEvent) => T {
  const built = new Map<AnyEvent, T>();
  return (event) => {
    let value = built.get(event);
    if (value === undefined) {
      value = build(event);
      built.set(event, value);
    }
    return value;
  };
}

function inputShape(event: AnyEvent): z.core.$ZodLooseShape {
  return { ...schemasOf(baseFields), hook_event_name: z.literal(event), ...rowOf(event).input };
}

/** An event's full input. Loose: unknown keys pass through. Throws a TypeError for a name that is no event. */
export const inputSchema: (event: AnyEvent) => z.ZodType = remember((event) =>
  z.looseObject(inputShape(event)).meta({ title: `${event} input` }),
);

/** The same shape without copying unknown keys: twice as fast, for validation only. */
export const inputCheck: (event: AnyEvent) => z.ZodType = remember((event) => z.object(inputShape(event)));

/** A fast test for each field of an event's input; a field without one may hold anything. */
export const inputTests: (event: AnyEvent) => ReadonlyMap<string, FastTest> = remember((event) =>
  testsOf({ ...baseFields, ...fieldsOfEvent(event).input }).set('hook_event_name', isOneOf([event])),
);

function testsOf(fields: Fields): Map<string, FastTest> {
  return new Map(Object.entries(fields).map(([name, { test }]) => [name, test]));
}

const requiredOf = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => !fields[name]?.isOptional);

const requiredInput = remember((event) => [
  'hook_event_name',
  ...requiredOf({ ...baseFields, ...fieldsOfEvent(event).input }),
]);

/** Whether an input certainly fits; false means: ask the schema. Contract: no value is undefined. */
export function fitsInput(event: AnyEvent, input: Readonly<Record<string, unknown>>): boolean {
  return hasAll(input, requiredInput(event)) && passes(input, inputTests(event));
}

/**
 * An event's answer. Loose as well: unknown keys become notes, wrong types are failures. Throws as `inputSchema`
 * does.
 */
export const answerSchema: (event: AnyEvent) => z.ZodType = remember((event) =>
  z
    .looseObject({
      async: z.boolean().optional(),
      asyncTimeout: z.number().positive().optional(),
      ...schemasOf(commonAnswer),
      hookSpecificOutput: z
        .looseObject({ hookEventName: z.literal(event), ...rowOf(event).answer })
        .optional(),
    })
    .meta({ title: `${event} answer` }),
);

/** A fast test for each field of an event's answer, at the top level and in its `hookSpecificOutput`. */
export const answerTests: (event: AnyEvent) => {
  readonly top: ReadonlyMap<string, FastTest>;
  readonly specific: ReadonlyMap<string, FastTest>;
  /** The fields that a `hookSpecificOutput` must have. */
  readonly required: readonly string[];
} = remember((event) => {
  const { answer: own } = fieldsOfEvent(event);
  return {
    top: testsOf(commonAnswer).set('async', isUnsure).set('asyncTimeout', isUnsure),
    specific: testsOf(own).set('hookEventName', isOneOf([event])),
    required: ['hookEventName', ...requiredOf(own)],
  };
});

/** Whether an answer of plain data certainly fits; false means: ask the schema. */
export function fitsAnswer(event: AnyEvent, answer: Readonly<Record<string, unknown>>): boolean {
  const { top, specific, required } = answerTests(event);
  const said = answer['hookSpecificOutput'] as Readonly<Record<string, unknown>> | undefined;
  if (said === undefined) return passes(answer, top);
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return false;
  return hasAll(said, required) && passes(said, specific) && passes(answer, top);
}

const hasAll = (record: Readonly<Record<string, unknown>>, keys: readonly string[]): boolean =>
  keys.every((key) => Object.hasOwn(record, key));

/** Keys without a test may hold anything. */
function passes(record: Readonly<Record<string, unknown>>, tests: ReadonlyMap<string, FastTest>): boolean {
  for (const key in record) if (tests.get(key)?.(record[key]) === false) return false;
  return true;
}

/**
 * The keys that an event's answer may have: at the top level, in its `hookSpecificOutput`, and in a `decision` in
 * there.
 */
export const answerKeys: (event: AnyEvent) => {
  readonly top: ReadonlySet<string>;
  readonly specific: ReadonlySet<string>;
  readonly decision: ReadonlySet<string>;
} = remember((event) => ({
  top: new Set([...Object.keys(commonAnswer), 'hookSpecificOutput', 'async', 'asyncTimeout', 'result']),
  specific: new Set(['hookEventName', ...Object.keys(fieldsOfEvent(event).answer)]),
  get decision() {
    return decisionKeys();
  },
}));

const decisionKeys = lazy(
  (): ReadonlySet<string> => new Set(permissionAnswer().options.flatMap(({ shape }) => Object.keys(shape))),
);

/** One sentence about the first mismatch: where, what was expected, what came. */
export function describeIssue(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'it does not fit the schema';
  const where = issue.path.length > 0 ? `\`${issue.path.join('.')}\`: ` : '';
  const more = error.issues.length > 1 ? ` (and ${error.issues.length - 1} more)` : '';
  return `${where}${issue.message}${more}`;
}
