import { describe, expect, it } from 'vitest';
import vectors from '../../spec/vectors/inputs.json' with { type: 'json' };
import { HOOK_EVENTS } from '../../src/events/registry.js';
import { inputSchema } from '../../src/events/schemas.js';
import type { HookEvent } from '../../src/events/types.js';
import { completeInput } from '../../src/runner/input.js';
import { BASE_ADDED, BASE_OPTIONAL, BASE_REQUIRED, SDK_FIELDS } from './sdk-fields.js';

type Input = Record<string, unknown>;
const samples = vectors as readonly { event: HookEvent; input: Input }[];

/** Values of any type are fine here; that they are there at all is what is checked. */
const ANYTHING = new Set(['tool_input', 'tool_response']);
const CHOICES = ['source', 'reason', 'trigger'];

/** As `fire` would: the common fields come with the sample, so that a missing one is not filled in. */
function refusal(event: HookEvent, input: Input): unknown {
  try {
    completeInput(event, input, {} as never, { agent_id: undefined, tool_use_id: undefined });
    return undefined;
  } catch (error) {
    return error;
  }
}

const fits = (event: HookEvent, input: Input): boolean => {
  const refused = refusal(event, input);
  expect(inputSchema(event).safeParse(input).success, 'the published schema and the check agree').toBe(
    refused === undefined,
  );
  if (refused !== undefined) expect(refused).toMatchObject({ name: 'HookError', code: 'invalid_input' });
  return refused === undefined;
};

const without = (input: Input, field: string): Input => {
  const { [field]: _, ...rest } = input;
  return rest;
};

it('EV-5 there is one sample for every event', () => {
  expect(samples.map(({ event }) => event)).toEqual([...HOOK_EVENTS]);
});

describe.each(samples)('an input of $event', ({ event, input }) => {
  const { required, optional, added } = SDK_FIELDS[event];
  const mustHave = [...BASE_REQUIRED, ...required];
  const mayHave = [...BASE_OPTIONAL, ...BASE_ADDED, ...optional, ...added];

  it(`EV-5 the sample of ${event} has every field there is, and fits`, () => {
    expect(Object.keys(input)).toEqual(expect.arrayContaining([...mustHave, ...mayHave]));
    expect(fits(event, input)).toBe(true);
  });

  it.each(mustHave.filter((field) => field !== 'hook_event_name'))(
    `EV-5 ${event} without %s is refused, and the refusal names the field`,
    (field) => {
      expect(fits(event, without(input, field))).toBe(false);
      expect(String(refusal(event, without(input, field)))).toContain(field);
    },
  );

  it(`EV-9 ${event} needs none of its optional fields`, () => {
    expect(fits(event, mayHave.reduce(without, input))).toBe(true);
  });

  it.each([...mustHave, ...mayHave].filter((field) => !ANYTHING.has(field)))(
    `EV-5 ${event} with %s of another type is refused, never coerced`,
    (field) => {
      const wrong = typeof input[field] === 'string' ? [7, true, {}, ['x']] : ['7', 'true', 'wrong'];
      for (const value of wrong) expect(fits(event, { ...input, [field]: value }), String(value)).toBe(false);
      if (field !== 'custom_instructions') expect(fits(event, { ...input, [field]: null })).toBe(false);
    },
  );

  it.each(CHOICES.filter((field) => required.includes(field)))(
    `EV-13 ${event} with a %s that is none of the known ones passes`,
    (field) => {
      expect(fits(event, { ...input, [field]: 'new-value' })).toBe(true);
    },
  );

  it(`EV-5 ${event} under another event's name is refused`, () => {
    const other = HOOK_EVENTS.find((name) => name !== event);
    expect(fits(event, { ...input, hook_event_name: other })).toBe(false);
    expect(inputSchema(event).safeParse(without(input, 'hook_event_name')).success).toBe(false);
  });

  it(`EV-4 ${event} may have keys nobody knows`, () => {
    expect(fits(event, { ...input, from_the_future: { deep: [1] } })).toBe(true);
  });
});

describe('values with a choice', () => {
  const sampleOf = (event: HookEvent): Input => samples.find((sample) => sample.event === event)?.input ?? {};

  it.each([
    ['SessionStart', 'source', ['startup', 'resume', 'clear', 'compact']],
    [
      'SessionEnd',
      'reason',
      ['clear', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled'],
    ],
    ['PreCompact', 'trigger', ['manual', 'auto']],
    ['Setup', 'trigger', ['init', 'maintenance']],
    ['PreCompact', 'custom_instructions', [null, '']],
  ] as const)('EV-9 %s.%s may be any of %j', (event, field, values) => {
    for (const value of values) expect(fits(event, { ...sampleOf(event), [field]: value })).toBe(true);
  });

  it.each([null, 0, '', false, [], 'text', { a: 1 }])(
    'EV-5 a tool may be called with anything: %j',
    (value) => {
      expect(fits('PreToolUse', { ...sampleOf('PreToolUse'), tool_input: value })).toBe(true);
      expect(fits('PostToolUse', { ...sampleOf('PostToolUse'), tool_response: value })).toBe(true);
    },
  );

  it('EV-5 a permission suggestion of an unknown kind is refused', () => {
    const suggestion = { type: 'grantEverything', destination: 'session' };
    const input = { ...sampleOf('PermissionRequest'), permission_suggestions: [suggestion] };
    expect(fits('PermissionRequest', input)).toBe(false);
  });
});
