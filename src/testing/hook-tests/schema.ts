/** The schema of hook test files, from which the JSON Schema for editors is generated. */
import { z } from 'zod';
import { ALL_EVENTS, isEvent } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { Expected, OUTCOME_FIELDS } from '../../runner/outcome-fields.js';
import { OUTCOME_ROWS } from '../../runner/outcome-rows.js';

type Entries = typeof OUTCOME_FIELDS;

/** The schema of one expectation in the table. `Text` is the schema of a text. */
type Schema<Entry, Text extends z.ZodType> = Entry extends {
  by: 'value';
  schema: () => infer Value extends z.ZodType;
}
  ? Value
  : Entry extends { by: 'text' }
    ? Text
    : z.ZodUnion<readonly [Text, z.ZodArray<Text>]>;

type FieldShape<Text extends z.ZodType> = {
  [K in keyof Entries as NonNullable<Entries[K]['expected']>['name']]: z.ZodOptional<
    Schema<NonNullable<Entries[K]['expected']>, Text>
  >;
};

function fieldShape<Text extends z.ZodType>(text: Text): FieldShape<Text> {
  const schemaOf = (expected: Expected): z.ZodType => {
    if (expected.by === 'value') return expected.schema();
    const schema = expected.by === 'text' ? text : z.union([text, z.array(text)]);
    return expected.description === undefined ? schema : schema.describe(expected.description);
  };
  const shape = OUTCOME_ROWS.flatMap(({ expected }) =>
    expected === null ? [] : [[expected.name, schemaOf(expected).optional()] as const],
  );
  return Object.fromEntries(shape) as unknown as FieldShape<Text>;
}

/**
 * The schema of everything that can be expected of a fire. `text` is the schema of a text: modules also allow
 * patterns.
 */
function expectation<Text extends z.ZodType>(text: Text) {
  return z.strictObject({
    ...fieldShape(text),
    exit: z.number().int().describe('The exit code of `hookline fire`: 0, 1 or 2.').optional(),
    hooks: z.number().int().nonnegative().describe('How many hooks run.').optional(),
    failure: z
      .union([z.boolean(), text])
      .describe('A hook fails, perhaps with this message. Absent: a failure of any hook fails the test.')
      .optional(),
  });
}

const hookName = z
  .string()
  .min(1)
  .describe('Fire only at this hook, as `hookline list` shows it. Default: at all hooks.');

function testCase<Expected extends z.ZodType>(expected: Expected) {
  return z.strictObject({
    name: z.string().min(1).optional(),
    event: z
      .string()
      .refine(isEvent, { error: 'there is no such event' })
      .meta({ enum: [...ALL_EVENTS] }) as unknown as z.ZodType<AnyEvent>,
    agent: z.string().describe('Fire as this agent.').optional(),
    hook: hookName.optional(),
    input: z
      .record(z.string(), z.unknown())
      .describe('Fields that replace those of the sample input.')
      .optional(),
    set: z
      .record(z.string(), z.unknown())
      .describe('Single fields by their path, such as tool_input.command.')
      .optional(),
    expect: expected,
  });
}

export const testFileSchema = z
  .strictObject({
    $schema: z.string().optional(),
    hook: hookName.describe('The hook of all tests in this file that name none.').optional(),
    tests: z.array(testCase(expectation(z.string()))),
  })
  .meta({ title: 'hookline hook tests' });

const inModule = expectation(z.union([z.string(), z.instanceof(RegExp)]));
const judge = z.custom<(outcome: unknown) => unknown>((value) => typeof value === 'function');

/** One test in a module. */
export const moduleTestSchema = testCase(z.union([judge, inModule]));

export type Expectation = z.output<typeof inModule>;
export type CheckedTest = z.output<typeof moduleTestSchema>;
