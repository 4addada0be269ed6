import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fastTest } from '../../src/events/fast-validators.js';
import { HOOK_EVENTS } from '../../src/events/registry.js';
import { answerSchema, fitsAnswer, fitsInput, inputSchema, inputTests } from '../../src/events/schemas.js';
import { sampleInput } from '../../src/testing/samples.js';

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

  it.each(HOOK_EVENTS)(
    'EV-5 an everyday input of %s needs no schema; a wrong or missing field does',
    (event) => {
      const input = sampleInput(event, '/w') as unknown as Record<string, unknown>;
      expect(fitsInput(event, input)).toBe(true);
      expect(fitsInput(event, { ...input, cwd: 7 })).toBe(false);
      expect(fitsInput(event, { ...input, hook_event_name: 'Other' })).toBe(false);
      const { cwd, ...without } = input;
      expect(cwd).toBe('/w');
      expect(fitsInput(event, without)).toBe(false);
    },
  );

  it.each([
    ['a string with a rule', z.string().min(3), 'text'],
    ['a number with a rule', z.number().positive(), 5],
    ['a whole number', z.int(), 5],
    ['a list', z.array(z.string()), ['text']],
    ['an object', z.object({}), {}],
    ['something that is changed', z.string().transform(Number), 'text'],
    ['something optional of these', z.array(z.string()).optional(), ['text']],
  ])('EV-5 %s is left to the schema', (_, schema, value) => {
    expect(fastTest(schema)(value)).toBe(false);
  });

  it.each([
    ['any values', z.record(z.string(), z.unknown()), true],
    ['values of one kind', z.record(z.string(), z.number()), false],
    ['keys of one kind', z.record(z.enum(['a']), z.unknown()), false],
  ])('EV-5 a record of %s', (_, schema, quick) => {
    expect(fastTest(schema)({ a: 1 })).toBe(quick);
    expect(fastTest(schema)([1])).toBe(false);
    expect(fastTest(schema)(new Map())).toBe(false);
  });
});

describe('answers that surely fit', () => {
  const key = fc.constantFrom(
    ...['continue', 'decision', 'reason', 'suppressOutput', 'async', 'asyncTimeout', 'unknown'],
  );
  const specificKey = fc.constantFrom(
    ...['hookEventName', 'additionalContext', 'permissionDecision', 'updatedInput', 'updatedToolOutput'],
    ...['decision', 'unknown'],
  );
  const value = fc.oneof(
    fc.constantFrom<unknown>(true, 'text', 'block', 'approve', 'deny', 'defer', 5, null, { a: 1 }, [1]),
    fc.constantFrom<unknown>(...HOOK_EVENTS, { behavior: 'allow' }, { behavior: 'deny', message: 7 }),
  );

  it.each(HOOK_EVENTS)(
    'FA-1 what is taken for an answer to %s at once, the schema takes for one',
    (event) => {
      const specific = fc
        .oneof(value, fc.dictionary(specificKey, value, { maxKeys: 3 }))
        .map((said) =>
          typeof said === 'object' && said !== null ? { hookEventName: event, ...said } : said,
        );
      const answer = fc
        .tuple(fc.dictionary(key, value, { maxKeys: 3 }), fc.option(specific, { nil: undefined }))
        .map(([top, said]) => (said === undefined ? top : { ...top, hookSpecificOutput: said }));
      fc.assert(
        fc.property(answer, (each) => {
          if (fitsAnswer(event, each)) expect(answerSchema(event).safeParse(each).success).toBe(true);
        }),
        { numRuns: 500 },
      );
    },
  );

  it('FA-1 everyday answers need no schema', () => {
    const said = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } });
    for (const answer of [
      { continue: false, stopReason: 'enough' },
      { decision: 'block', reason: 'no' },
      said({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
      said({ updatedInput: { command: 'ls' } }),
      said({ additionalContext: 'by the way', from_the_future: 1 }),
    ])
      expect(fitsAnswer('PreToolUse', answer), JSON.stringify(answer)).toBe(true);
  });
});
