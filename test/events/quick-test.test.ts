import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { quickTest } from '../../src/events/quick-test.js';
import { HOOK_EVENTS, inputSchema, inputTests } from '../../src/events/schemas.js';

const anything = fc.oneof(
  fc.anything({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    '',
    'manual',
    'startup',
    'other',
    0,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
  ),
);

describe('quick tests', () => {
  it.each(HOOK_EVENTS)('EV-5 what a quick test of %s accepts, the schema accepts', (event) => {
    const { shape } = inputSchema(event) as z.ZodObject;
    const tests = [...inputTests(event)];
    expect(tests.map(([key]) => key).sort()).toEqual(Object.keys(shape).sort());
    fc.assert(
      fc.property(fc.constantFrom(...tests), anything, ([key, test], value) => {
        if (test(value)) expect((shape[key] as z.ZodType).safeParse(value).success).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('EV-5 the fields that every fire has are decided without the schema', () => {
    const tests = inputTests('PreToolUse');
    for (const key of ['session_id', 'cwd', 'tool_name', 'tool_use_id']) {
      expect(tests.get(key)?.('text'), key).toBe(true);
      expect(tests.get(key)?.(7), key).toBe(false);
    }
    expect(tests.get('tool_input')?.({ any: 'thing' })).toBe(true);
    expect(inputTests('SessionStart').get('source')?.('startup')).toBe(true);
    expect(inputTests('PreCompact').get('custom_instructions')?.(null)).toBe(true);
  });

  it.each([
    ['a string with a rule', z.string().min(3), 'text'],
    ['a number with a rule', z.number().positive(), 5],
    ['a whole number', z.int(), 5],
    ['a list', z.array(z.string()), ['text']],
    ['an object', z.object({}), {}],
    ['something that is changed', z.string().transform(Number), 'text'],
    ['something optional of these', z.array(z.string()).optional(), ['text']],
  ])('EV-5 %s is left to the schema', (_, schema, value) => {
    expect(quickTest(schema)(value)).toBe(false);
  });
});
