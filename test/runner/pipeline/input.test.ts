import { describe, expect, it } from 'vitest';
import type { HookEvent } from '../../../src/events/types.js';
import { completeInput } from '../../../src/runner/input.js';

const BASE = { session_id: 's', transcript_path: '/t', cwd: '/w' };
const WITH_MODE = { ...BASE, permission_mode: 'plan' };
const TOOL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'use-1' };

interface Extra {
  readonly agent_id?: string;
  readonly tool_use_id?: string;
}

const complete = (event: HookEvent, own: unknown, base = BASE, extra: Extra = {}): Record<string, unknown> =>
  completeInput(event, own as object, base, { agent_id: extra.agent_id, tool_use_id: extra.tool_use_id })
    .record;

const invalid = (says: string) =>
  expect.objectContaining({
    name: 'HookError',
    code: 'invalid_input',
    message: expect.stringContaining(says),
  });

describe('the common fields', () => {
  it('EV-2 they come first, in the order of the wire, then the own fields as given', () => {
    expect(Object.keys(complete('PreToolUse', TOOL, WITH_MODE))).toEqual([
      'session_id',
      'transcript_path',
      'cwd',
      'permission_mode',
      'hook_event_name',
      'tool_name',
      'tool_input',
      'tool_use_id',
    ]);
  });

  it('EV-2 permission_mode is there only when the runner has one', () => {
    expect(complete('PreToolUse', TOOL)).not.toHaveProperty('permission_mode');
    expect(complete('PreToolUse', TOOL, WITH_MODE)).toHaveProperty('permission_mode', 'plan');
  });

  it('EV-2 the order stays when own fields override common ones', () => {
    const input = complete('Stop', { stop_hook_active: true, cwd: '/other', session_id: 's2' }, WITH_MODE);
    expect(Object.keys(input).slice(0, 5)).toEqual([
      'session_id',
      'transcript_path',
      'cwd',
      'permission_mode',
      'hook_event_name',
    ]);
  });

  it('EV-3 a field given to fire overrides the one of the runner', () => {
    const own = {
      stop_hook_active: false,
      session_id: 's2',
      transcript_path: '/t2',
      cwd: '/w2',
      permission_mode: 'x',
    };
    expect(complete('Stop', own, WITH_MODE)).toEqual({ ...own, hook_event_name: 'Stop' });
  });

  it('EV-3 an undefined field overrides nothing', () => {
    const own = {
      stop_hook_active: false,
      session_id: undefined,
      transcript_path: undefined,
      cwd: undefined,
      permission_mode: undefined,
    };
    expect(complete('Stop', own, WITH_MODE)).toStrictEqual({
      ...WITH_MODE,
      hook_event_name: 'Stop',
      stop_hook_active: false,
    });
  });

  it('EV-3 an undefined hook_event_name overrides nothing either', () => {
    const own = { stop_hook_active: false, hook_event_name: undefined };
    expect(complete('Stop', own)).toMatchObject({ hook_event_name: 'Stop' });
  });

  it('EV-3 an undefined field that nothing else sets is left out', () => {
    const own = { task_id: '1', task_subject: 's', team_name: undefined, unknown: undefined };
    expect(Object.keys(complete('TaskCompleted', own))).not.toEqual(expect.arrayContaining(['team_name']));
    expect(complete('TaskCompleted', own)).not.toHaveProperty('unknown');
  });

  it('EV-3 an undefined field is left out also when it is named like a method of objects', () => {
    const own = { stop_hook_active: false, toString: undefined, valueOf: undefined };
    expect(Object.keys(complete('Stop', own))).toEqual([
      ...Object.keys(BASE),
      'hook_event_name',
      'stop_hook_active',
    ]);
  });
});

describe('what the input may hold', () => {
  it('EV-4 unknown keys pass through, whatever they hold', () => {
    const own = { stop_hook_active: true, from_the_future: { deep: [1, { a: null }] }, 'odd key': 0 };
    expect(complete('Stop', own)).toMatchObject(own);
  });

  it('EV-4 known and unknown values are passed on as they are, not copied', () => {
    const tool_input = { big: [1, 2, 3] };
    expect(complete('PreToolUse', { ...TOOL, tool_input })['tool_input']).toBe(tool_input);
  });

  it('IS-1 the object that was given is not changed', () => {
    const own = Object.freeze({ ...TOOL, cwd: undefined });
    complete('PreToolUse', own, BASE, { agent_id: 'a', tool_use_id: 'u' });
    expect(own).toStrictEqual({ ...TOOL, cwd: undefined });
  });

  it.each([[null], [undefined], [7], ['text'], [[]], [() => {}]])('EV-5 %s is no input', (own) => {
    expect(() => complete('Stop', own)).toThrow(invalid('stop_hook_active'));
  });

  it('EV-5 a refusal names the event, the field, and how many more there are', () => {
    expect(() => complete('PreToolUse', { tool_name: 7 })).toThrow(invalid('PreToolUse'));
    expect(() => complete('PreToolUse', { tool_name: 7 })).toThrow(invalid('`tool_name`'));
    expect(() => complete('PreToolUse', { tool_name: 7 })).toThrow(invalid('2 more'));
  });

  it('EV-5 a required field that is undefined is missing', () => {
    expect(() => complete('PreToolUse', { ...TOOL, tool_input: undefined })).toThrow(invalid('tool_input'));
    expect(() => complete('PreToolUse', { ...TOOL, tool_use_id: undefined })).toThrow(invalid('tool_use_id'));
  });

  it('EV-5 an input that cannot be read is refused as one, with the cause', () => {
    const cause = new Error('trap');
    const own = {
      get stop_hook_active() {
        throw cause;
      },
    };
    expect(() => complete('Stop', own)).toThrow(invalid('trap'));
    expect(() => complete('Stop', own)).toThrow(expect.objectContaining({ cause }));
  });

  it('EV-5 a key that reaches a prototype changes no prototype', () => {
    const own = JSON.parse('{"stop_hook_active":true,"__proto__":{"polluted":1}}');
    const input = complete('Stop', own);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('what comes with the options', () => {
  it('EV-8 agentId is seen as agent_id, on every event, unless the input has its own', () => {
    expect(complete('Stop', { stop_hook_active: true }, BASE, { agent_id: 'a' })).toHaveProperty(
      'agent_id',
      'a',
    );
    expect(
      complete('Stop', { stop_hook_active: true, agent_id: 'own' }, BASE, { agent_id: 'a' }),
    ).toHaveProperty('agent_id', 'own');
    const started = complete('SubagentStart', { agent_type: 't' }, BASE, { agent_id: 'a' });
    expect(started).toHaveProperty('agent_id', 'a');
  });

  it('EV-8 toolUseID is seen as tool_use_id on events that have one, unless the input has its own', () => {
    const { tool_use_id: _, ...tool } = TOOL;
    const extra = { tool_use_id: 'from-options' };
    expect(complete('PreToolUse', tool, BASE, extra)).toHaveProperty('tool_use_id', 'from-options');
    expect(complete('PreToolUse', TOOL, BASE, extra)).toHaveProperty('tool_use_id', 'use-1');
    expect(complete('PermissionRequest', tool, BASE, extra)).not.toHaveProperty('tool_use_id');
    expect(complete('Stop', { stop_hook_active: true }, BASE, extra)).not.toHaveProperty('tool_use_id');
  });

  it('EV-8 an undefined field of the input gives way to the options', () => {
    const input = complete('PreToolUse', { ...TOOL, tool_use_id: undefined, agent_id: undefined }, BASE, {
      agent_id: 'a',
      tool_use_id: 'u',
    });
    expect(input).toMatchObject({ agent_id: 'a', tool_use_id: 'u' });
  });
});
