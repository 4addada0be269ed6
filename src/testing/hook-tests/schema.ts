/** What a hook test file may hold; the JSON Schema that editors use is made from it. */
import { z } from 'zod';
import { ALL_EVENTS, isEvent } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';

/** Everything that can be expected of a fire, by what stands for a text: in modules a pattern too. */
function expectation<Text extends z.ZodType>(text: Text) {
  const texts = z.union([text, z.array(text)]);
  return z.strictObject({
    decision: z
      .enum(['allow', 'deny', 'ask', 'defer', 'none'])
      .describe('What the hooks decide together; none: no hook has an opinion.')
      .optional(),
    reason: text.describe('A part of the reason, or a /pattern/.').optional(),
    continue: z.union([z.boolean(), z.literal('none')]).optional(),
    stopReason: text.optional(),
    context: texts.describe('Parts of what is added for the model.').optional(),
    message: texts.describe('Parts of the system messages.').optional(),
    updatedInput: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The whole new tool input; null: it stays as it is.')
      .optional(),
    updatedOutput: z.unknown().describe('The whole new tool output.').optional(),
    exit: z.number().int().describe('The exit code of `hookline fire`: 0, 1 or 2.').optional(),
    hooks: z.number().int().nonnegative().describe('How many hooks run.').optional(),
    failure: z
      .union([z.boolean(), text])
      .describe('A hook fails, perhaps with this message. Absent: a failure of any hook fails the test.')
      .optional(),
  });
}

function testCase<Expected extends z.ZodType>(expected: Expected) {
  return z.strictObject({
    name: z.string().min(1).optional(),
    event: z
      .string()
      .refine(isEvent, { error: 'there is no such event' })
      .meta({ enum: [...ALL_EVENTS] }) as unknown as z.ZodType<AnyEvent>,
    agent: z.string().describe('Fire as this agent.').optional(),
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
  .strictObject({ $schema: z.string().optional(), tests: z.array(testCase(expectation(z.string()))) })
  .meta({ title: 'hookline hook tests' });

const inModule = expectation(z.union([z.string(), z.instanceof(RegExp)]));
const judge = z.custom<(outcome: unknown) => unknown>((value) => typeof value === 'function');

/** One test, as a file or a module has it. */
export const moduleTestSchema = testCase(z.union([judge, inModule]));

export type Expectation = z.output<typeof inModule>;
export type CheckedTest = z.output<typeof moduleTestSchema>;
