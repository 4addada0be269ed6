/** The fields of the event table. A field has a plain test, and a zod schema that is only built when the test is not sure. */
import { z } from 'zod';
import { lazy } from '../base/lazy.js';
import {
  type FastTest,
  fastTest,
  isAnything,
  isBoolean,
  isFiniteNumber,
  isOneOf,
  isRecord,
  isString,
  isUnsure,
  orElse,
} from './fast-validators.js';

type Schema = z.core.$ZodType;

export interface Field<S extends Schema = Schema> {
  readonly test: FastTest;
  /** Whether an input or an answer fits without it. */
  readonly isOptional: boolean;
  /** The reference; the test only ever accepts what it accepts. */
  readonly schema: () => S;
}

export type Fields = Readonly<Record<string, Field>>;

/** The zod shape of fields. */
export type SchemasOf<F extends Fields> = { [Name in keyof F]: F[Name] extends Field<infer S> ? S : never };

function field<S extends Schema>(test: FastTest, schema: () => S): Field<S> {
  return { test, isOptional: false, schema: lazy(schema) };
}

export const text = field(isString, () => z.string());
export const flag = field(isBoolean, () => z.boolean());
export const number = field(isFiniteNumber, () => z.number());
export const anything = field(isAnything, () => z.unknown());
export const record = field(isRecord, () => z.record(z.string(), z.unknown()));

/** One of these words. */
export const word = <const Words extends readonly [string, ...string[]]>(...words: Words) =>
  field(isOneOf(words), () => z.enum(words));

/**
 * One of these words, or any other: a descriptive word may be new in a later host. `fire` accepts any; hooks are
 * typed with the known ones, as in the SDK.
 */
export function open<const Words extends readonly [string, ...string[]]>(
  ...words: Words
): Field<z.ZodType<Words[number], Words[number] | (string & Record<never, never>)>> {
  return field(isString, () => z.string().meta({ examples: [...words] })) as never;
}

/** Only the schema knows. */
export const bySchema = <S extends Schema>(schema: () => S): Field<S> => field(isUnsure, schema);

export function optional<S extends Schema>({ test, schema }: Field<S>): Field<z.ZodOptional<S>> {
  return { ...field(orElse(undefined, test), () => z.optional(schema())), isOptional: true };
}

export const nullable = <S extends Schema>({ test, schema }: Field<S>): Field<z.ZodNullable<S>> =>
  field(orElse(null, test), () => z.nullable(schema()));

/** The shape of an application's event, as fields. */
export function fieldsOf(shape: z.core.$ZodLooseShape): Fields {
  const fields = Object.entries(shape).map(([name, schema]): [string, Field] => [
    name,
    { test: fastTest(schema), isOptional: schema._zod.optin === 'optional', schema: () => schema },
  ]);
  return Object.fromEntries(fields);
}

export function schemasOf<F extends Fields>(fields: F): SchemasOf<F> {
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema()]);
  return Object.fromEntries(schemas) as SchemasOf<F>;
}
