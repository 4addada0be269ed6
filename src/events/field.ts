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

export interface Field {
  readonly test: FastTest;
  /** Whether an input or an answer fits without it. */
  readonly isOptional: boolean;
  /** The reference; the test only ever accepts what it accepts. */
  readonly schema: () => Schema;
}

export type Fields = Readonly<Record<string, Field>>;

/** A field whose type the compiler knows. */
export interface TypedField<T, Optional extends boolean = false> extends Field {
  readonly isOptional: Optional;
  /** Never set: it makes the compiler compare types in both directions. */
  readonly of?: (value: T) => T;
}

/**
 * The fields of an interface: one for each of its properties, with the same type, and as optional as there. So the table
 * and the types that users see cannot differ.
 */
export type FieldsOf<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K>
    ? TypedField<Exclude<T[K], undefined>, true>
    : TypedField<T[K]>;
};

/** Contract: the test accepts only what the schema accepts. */
export function field<T>(test: FastTest, schema: () => Schema): TypedField<T> {
  return { test, isOptional: false, schema: lazy(schema) };
}

export const text: TypedField<string> = field(isString, () => z.string());
export const flag: TypedField<boolean> = field(isBoolean, () => z.boolean());
export const number: TypedField<number> = field(isFiniteNumber, () => z.number());
export const anything: TypedField<unknown> = field(isAnything, () => z.unknown());
export const record: TypedField<Record<string, unknown>> = field(isRecord, () =>
  z.record(z.string(), z.unknown()),
);

/** One of these words. */
export const word = <const Words extends readonly [string, ...string[]]>(
  ...words: Words
): TypedField<Words[number]> => field(isOneOf(words), () => z.enum(words));

/**
 * One of these words, or any other: a descriptive word may be new in a later host. `fire` accepts any; hooks are
 * typed with the known ones, as in the SDK.
 */
export const open = <const Words extends readonly [string, ...string[]]>(
  ...words: Words
): TypedField<Words[number]> => field(isString, () => z.string().meta({ examples: [...words] }));

/** Only the schema knows. */
export const bySchema = <S extends Schema>(schema: () => S): TypedField<z.output<S>> =>
  field(isUnsure, schema);

export function optional<T>({ test, schema }: TypedField<T>): TypedField<T, true> {
  return { ...field<T>(orElse(undefined, test), () => z.optional(schema())), isOptional: true };
}

/** With a text for editors. */
export const described = <T>({ test, schema }: TypedField<T>, text: string): TypedField<T> =>
  field(test, () => (schema() as z.ZodType).describe(text));

export const nullable = <T>({ test, schema }: TypedField<T>): TypedField<T | null> =>
  field(orElse(null, test), () => z.nullable(schema()));

/** The shape of an application's event, as fields. */
export function fieldsOf(shape: z.core.$ZodLooseShape): Fields {
  const fields = Object.entries(shape).map(([name, schema]): [string, Field] => [
    name,
    { test: fastTest(schema), isOptional: schema._zod.optin === 'optional', schema: () => schema },
  ]);
  return Object.fromEntries(fields);
}

export function schemasOf(fields: Fields): Record<string, Schema> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema()]));
}

/** Whether a value certainly is an object with these fields and no others; false means: ask the schema. */
export function fitsExactly(fields: Fields, value: unknown): boolean {
  if (!isRecord(value)) return false;
  const record = value as Readonly<Record<string, unknown>>;
  return (
    Object.keys(record).every((key) => Object.hasOwn(fields, key) && fields[key]?.test(record[key])) &&
    Object.keys(fields).every((key) => fields[key]?.isOptional || Object.hasOwn(record, key))
  );
}
