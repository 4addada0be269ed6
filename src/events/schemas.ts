/** The zod schemas of every event's input and answer, built from the table on first use. */
import { z } from 'zod';
import { lazy } from '../base/lazy.js';
import { type FastTest, fastTest } from './fast-validators.js';
import { baseFields, commonAnswer, permissionAnswer } from './fields.js';
import { rowOf } from './registry.js';
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
  return { ...baseFields(), hook_event_name: z.literal(event), ...rowOf(event).input };
}

/** An event's full input. Loose: unknown keys pass through. Throws a TypeError for a name that is no event. */
export const inputSchema: (event: AnyEvent) => z.ZodType = remember((event) =>
  z.looseObject(inputShape(event)).meta({ title: `${event} input` }),
);

/** The same shape without copying unknown keys: twice as fast, for validation only. */
export const inputCheck: (event: AnyEvent) => z.ZodType = remember((event) => z.object(inputShape(event)));

/** A fast test for each field of an event's input; a field without one may hold anything. */
export const inputTests: (event: AnyEvent) => ReadonlyMap<string, FastTest> = remember((event) =>
  testsOf(inputShape(event)),
);

function testsOf(shape: z.core.$ZodLooseShape): ReadonlyMap<string, FastTest> {
  return new Map(Object.entries(shape).map(([key, schema]) => [key, fastTest(schema as z.core.$ZodType)]));
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
      ...commonAnswer(),
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
  const { answer: own } = rowOf(event);
  return {
    top: testsOf(commonAnswer()),
    specific: testsOf({ hookEventName: z.literal(event), ...own }),
    required: ['hookEventName', ...Object.keys(own).filter((key) => !isOptional(own[key]))],
  };
});

function isOptional(schema: unknown): boolean {
  return (schema as z.core.$ZodType)._zod.optin === 'optional';
}

/** Whether an answer of plain data certainly fits; false means: ask the schema. */
export function fitsAnswer(event: AnyEvent, answer: Readonly<Record<string, unknown>>): boolean {
  const { top, specific, required } = answerTests(event);
  const said = answer['hookSpecificOutput'] as Readonly<Record<string, unknown>> | undefined;
  if (said === undefined) return passes(answer, top);
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return false;
  return required.every((key) => key in said) && passes(said, specific) && passes(answer, top);
}

/** Keys without a test may hold anything, except those that announce background work. */
function passes(record: Readonly<Record<string, unknown>>, tests: ReadonlyMap<string, FastTest>): boolean {
  for (const key in record) {
    const test = tests.get(key);
    if (test === undefined ? key === 'async' || key === 'asyncTimeout' : !test(record[key])) return false;
  }
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
  top: new Set([...Object.keys(commonAnswer()), 'hookSpecificOutput', 'async', 'asyncTimeout', 'result']),
  specific: new Set(['hookEventName', ...Object.keys(rowOf(event).answer)]),
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
