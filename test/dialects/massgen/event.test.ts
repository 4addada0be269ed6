/** What MassGen handlers are told. */
import { expect, test } from 'vitest';
import { encodeHookEvent, massgenEnvironment } from '../../../src/dialects/massgen/event.js';
import { SAMPLES } from '../../support/runner.js';

const base = { session_id: 's1', transcript_path: '/t', cwd: '/w', permission_mode: 'default' };

test('MG-14 a HookEvent has exactly the fields of MassGen', () => {
  const input = {
    ...base,
    hook_event_name: 'PreToolUse',
    ...SAMPLES.PreToolUse,
    agent_id: 'a1',
    orchestrator_id: 'o1',
  };
  const { timestamp, ...rest } = encodeHookEvent('PreToolUse', input);
  expect(rest).toEqual({
    hook_type: 'PreToolUse',
    session_id: 's1',
    orchestrator_id: 'o1',
    agent_id: 'a1',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_output: null,
  });
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
});

test('MG-14 without an agent and an orchestrator the fields are still there', () => {
  const event = encodeHookEvent('PreToolUse', { ...base, ...SAMPLES.PreToolUse });
  expect(event).toMatchObject({ agent_id: null, orchestrator_id: '' });
});

test('MG-14 tool_output is text: as it is, or as JSON', () => {
  const output = (tool_response: unknown): unknown =>
    encodeHookEvent('PostToolUse', { ...base, ...SAMPLES.PostToolUse, tool_response }).tool_output;
  expect(output('plain')).toBe('plain');
  expect(output({ stdout: 'x' })).toBe('{"stdout":"x"}');
  expect(output('')).toBe('');
  expect(output(undefined)).toBe(null);
});

test('MG-14 tool_input is always an object', () => {
  const input = (tool_input: unknown): unknown =>
    encodeHookEvent('PreToolUse', { ...base, ...SAMPLES.PreToolUse, tool_input }).tool_input;
  expect(input('ls')).toEqual({ raw: 'ls' });
  expect(input([1])).toEqual({ raw: [1] });
  expect(input(null)).toEqual({});
});

test('MG-15 on events without a tool, tool_name is what matchers see and tool_input the own fields', () => {
  expect(encodeHookEvent('UserPromptSubmit', { ...base, ...SAMPLES.UserPromptSubmit })).toMatchObject({
    hook_type: 'UserPromptSubmit',
    tool_name: '',
    tool_input: { prompt: 'Make it work' },
    tool_output: null,
  });
  expect(encodeHookEvent('SessionStart', { ...base, ...SAMPLES.SessionStart }).tool_name).toBe('startup');
  const failed = encodeHookEvent('PostToolUseFailure', { ...base, ...SAMPLES.PostToolUseFailure });
  expect(failed).toMatchObject({ tool_name: 'Bash', tool_output: 'exit code 1' });
});

test('MG-16 the variables are always there, bounded, and without NUL', () => {
  const input = { session_id: 's\0x', tool_name: 'T'.repeat(10_000) };
  const variables = massgenEnvironment({ event: 'PreToolUse', input, agentId: undefined });
  expect(variables).toEqual({
    MASSGEN_HOOK_TYPE: 'PreToolUse',
    MASSGEN_TOOL_NAME: 'T'.repeat(4096),
    MASSGEN_SESSION_ID: 'sx',
    MASSGEN_AGENT_ID: '',
    MASSGEN_ORCHESTRATOR_ID: '',
  });
});
