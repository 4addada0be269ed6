import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { ALL_EVENTS, HOOK_EVENTS, isHookEvent, rowOf } from '../../src/events/registry.js';
import { answerSchema, inputSchema } from '../../src/events/schemas.js';
import type { AnyEvent, HookEvent } from '../../src/events/types.js';
import { BASE_ADDED, BASE_OPTIONAL, BASE_REQUIRED, NEWER_FIELDS, SDK_FIELDS } from './sdk-fields.js';

const FIFTEEN = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PermissionRequest',
  'Setup',
  'TeammateIdle',
  'TaskCompleted',
] as const;

const shapeOf = (event: HookEvent): readonly string[] =>
  Object.keys((inputSchema(event) as unknown as { shape: object }).shape);

describe('the fifteen events', () => {
  it('EV-1 HOOK_EVENTS lists exactly the fifteen, in the order of the table', () => {
    expect(HOOK_EVENTS).toEqual(FIFTEEN);
  });

  it('EV-1 the list cannot be changed', () => {
    expect(Object.isFrozen(HOOK_EVENTS)).toBe(true);
  });

  it.each(['', 'pretooluse', 'PreToolUse ', 'toString', '__proto__', 'constructor', 7, null, undefined, {}])(
    'EV-1 %j is not an event',
    (name) => {
      expect(isHookEvent(name)).toBe(false);
    },
  );
});

describe.each(FIFTEEN)('%s', (event) => {
  const { required, optional, added, specific, specificAdded } = SDK_FIELDS[event];

  it(`EV-9 the input of ${event} has every field of the SDK and of Claude Code 2.1.325`, () => {
    const known = [...BASE_REQUIRED, ...BASE_OPTIONAL, ...BASE_ADDED, ...required, ...optional, ...added];
    expect(shapeOf(event)).toEqual(expect.arrayContaining(known));
  });

  it(`EV-9 the row of ${event} names no field that neither of them has`, () => {
    const known = new Set([...required, ...optional, ...added]);
    expect(Object.keys(rowOf(event).input).filter((field) => !known.has(field))).toEqual([]);
  });

  it(`EV-9 hookSpecificOutput of ${event} has every field of the SDK and of Claude Code 2.1.325`, () => {
    expect(Object.keys(rowOf(event).answer)).toEqual(expect.arrayContaining([...specific, ...specificAdded]));
  });

  it(`EV-9 an answer to ${event} may have every common field of the SDK`, () => {
    const answer = {
      continue: true,
      suppressOutput: true,
      stopReason: 'done',
      decision: 'approve',
      systemMessage: 'hello',
      reason: 'because',
    };
    expect(answerSchema(event).safeParse(answer).success).toBe(true);
    for (const field of Object.keys(answer)) {
      expect(answerSchema(event).safeParse({ ...answer, [field]: 7 }).success, field).toBe(false);
    }
  });
});

describe('what a matcher looks at', () => {
  it.each([
    ['PreToolUse', 'tool_name'],
    ['PostToolUse', 'tool_name'],
    ['PostToolUseFailure', 'tool_name'],
    ['PermissionRequest', 'tool_name'],
    ['SessionStart', 'source'],
    ['SessionEnd', 'reason'],
    ['Notification', 'notification_type'],
    ['PreCompact', 'trigger'],
    ['Setup', 'trigger'],
    ['SubagentStart', 'agent_type'],
    ['SubagentStop', 'agent_type'],
    ['UserPromptSubmit', null],
    ['Stop', null],
    ['TeammateIdle', null],
    ['TaskCompleted', null],
  ] as const)('MA-5 on %s it is %s', (event, subject) => {
    expect(rowOf(event).matcherField).toBe(subject);
  });

  it('MA-5 what a matcher looks at is required, so there is always something to look at', () => {
    for (const event of HOOK_EVENTS) {
      const { matcherField: subject } = rowOf(event);
      if (subject !== null) expect(SDK_FIELDS[event].required, event).toContain(subject);
    }
  });
});

describe('what a refusal prevents', () => {
  it('FA-5 only on events where something can still be prevented does a failure refuse', () => {
    const preventing = HOOK_EVENTS.filter((event) => !['nothing', 'feedback'].includes(rowOf(event).blocks));
    expect(preventing).toEqual([
      'PreToolUse',
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'PreCompact',
      'PermissionRequest',
      'TeammateIdle',
      'TaskCompleted',
    ]);
  });

  it('OR-4 rewritten inputs and outputs go where the tool events keep them', () => {
    const rewriting = HOOK_EVENTS.map((event) => [event, rowOf(event).rewrites] as const).filter(
      ([, rewrites]) => Object.keys(rewrites).length > 0,
    );
    expect(rewriting).toEqual([
      ['PreToolUse', { input: 'tool_input' }],
      ['PostToolUse', { output: 'tool_response' }],
      ['PermissionRequest', { input: 'tool_input' }],
    ]);
  });
});

describe('the events of newer hosts', () => {
  it('EV-10 all 33 events of Agent SDK 0.3.325 are in the table', () => {
    expect(new Set(ALL_EVENTS)).toEqual(new Set([...FIFTEEN, ...Object.keys(NEWER_FIELDS)]));
    expect(ALL_EVENTS).toHaveLength(33);
  });

  it.each(Object.entries(NEWER_FIELDS))(
    'EV-9 %s has the fields of the SDK, and no others',
    (name, fields) => {
      const { input, answer } = rowOf(name as AnyEvent);
      const { required, optional } = splitByPresence(input);
      expect(required).toEqual([...fields.required].sort());
      expect(optional).toEqual([...fields.optional].sort());
      expect(Object.keys(answer).sort()).toEqual([...fields.specific].sort());
    },
  );

  it('EV-15 those that the loop cannot fire say why', () => {
    const unfired = ALL_EVENTS.filter((event) => rowOf(event).unfired !== '');
    expect(unfired.sort()).toEqual(['FileChanged', 'InstructionsLoaded', 'WorktreeCreate', 'WorktreeRemove']);
  });
});

function splitByPresence(shape: object): { required: string[]; optional: string[] } {
  const entries = Object.entries(shape as Record<string, z.core.$ZodType>);
  const names = (optional: boolean): string[] =>
    entries
      .filter(([, schema]) => (schema._zod.def.type === 'optional') === optional)
      .map(([field]) => field)
      .sort();
  return { required: names(false), optional: names(true) };
}
