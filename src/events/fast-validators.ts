/** Plain tests for simple kinds of fields: a hundred times faster than the zod schema, which remains the reference. */
import type { z } from 'zod';

/** Contract: true only if the schema would accept the value too. False means: ask the schema. */
export type FastTest = (value: unknown) => boolean;

export const isString: FastTest = (value) => typeof value === 'string';
export const isBoolean: FastTest = (value) => typeof value === 'boolean';
export const isFiniteNumber: FastTest = (value) => Number.isFinite(value);
export const isRecord: FastTest = (value) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
export const isAnything: FastTest = () => true;
export const isUnsure: FastTest = () => false;

export const isListOf =
  (test: FastTest): FastTest =>
  (value) =>
    Array.isArray(value) && value.every((each) => test(each));

/** The parts of a zod schema's definition that are used here. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly unknown[];
  readonly format?: unknown;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  readonly innerType?: z.core.$ZodType;
  readonly keyType?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
}

const TESTS: Readonly<Record<string, (definition: Definition) => FastTest>> = {
  string: () => isString,
  boolean: () => isBoolean,
  number: () => isFiniteNumber,
  unknown: () => isAnything,
  enum: ({ entries = {} }) => isOneOf(Object.values(entries)),
  literal: ({ values = [] }) => isOneOf(values),
  nullable: ({ innerType }) => orElse(null, testOf(innerType)),
  optional: ({ innerType }) => orElse(undefined, testOf(innerType)),
  // Only an object in which every key and every value is accepted.
  record: ({ keyType, valueType }) =>
    testOf(keyType) === isString && testOf(valueType) === isAnything ? isRecord : isUnsure,
};

export function fastTest(schema: z.core.$ZodType): FastTest {
  const definition = schema._zod.def as Definition;
  const isPlain = (definition.checks ?? []).length === 0 && definition.format === undefined;
  const make = Object.hasOwn(TESTS, definition.type) ? TESTS[definition.type] : undefined;
  return isPlain && make !== undefined ? make(definition) : isUnsure;
}

export function isOneOf(values: readonly unknown[]): FastTest {
  const allowed = new Set(values);
  return (value) => allowed.has(value);
}

export function orElse(also: null | undefined, test: FastTest): FastTest {
  return (value) => value === also || test(value);
}

function testOf(schema: z.core.$ZodType | undefined): FastTest {
  return schema === undefined ? isUnsure : fastTest(schema);
}
