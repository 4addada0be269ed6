/** Generates a value that matches a zod schema, for fields without a sample. */
import type { z } from 'zod';

interface Definition {
  readonly type: string;
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  readonly innerType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly defaultValue?: unknown;
}

const SAMPLES: Readonly<Record<string, (definition: Definition) => unknown>> = {
  string: () => 'sample',
  number: () => 1,
  boolean: () => false,
  null: () => null,
  enum: ({ entries = {} }) => Object.values(entries)[0],
  literal: ({ values = [] }) => values[0],
  array: () => [],
  record: () => ({}),
  object: ({ shape = {} }) => sampleOfShape(shape),
  union: ({ options: [first] = [] }) => first && sampleOf(first),
  nullable: () => null,
  default: ({ defaultValue }) => defaultValue,
};

/** Optional fields are omitted. */
export function sampleOfShape(shape: z.core.$ZodLooseShape): Readonly<Record<string, unknown>> {
  const required = Object.entries(shape as Readonly<Record<string, z.core.$ZodType>>).filter(
    ([, schema]) => schema._zod.optin !== 'optional',
  );
  return Object.fromEntries(required.map(([name, schema]) => [name, sampleOf(schema)]));
}

function sampleOf(schema: z.core.$ZodType): unknown {
  const definition = schema._zod.def as Definition;
  return Object.hasOwn(SAMPLES, definition.type) ? SAMPLES[definition.type]?.(definition) : null;
}
