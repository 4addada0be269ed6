/** What the documentation or source of hosts says that were not tried: their answers, matchers and inputs. */
import { describe, expect, it } from 'vitest';
import { decodeEvent } from '../../src/hosts/decode.js';
import { host, readBy } from './support.js';

const done = (exit: number, stdout = '', stderr = '') => ({ exit, stdout, stderr });
const refusal = (name: string, printed: ReturnType<typeof done>): string | undefined =>
  readBy(host(name), printed).refuse;

describe('answers before a tool', () => {
  it.each([
    ['openhands', 'exit code 2', done(2, '', 'R'), 'R'],
    ['openhands', 'continue: false', done(0, '{"continue":false,"reason":"R"}'), 'R'],
    ['openhands', 'continue: null, which is as false', done(0, '{"continue":null,"reason":"R"}'), 'R'],
    ['openhands', 'a deny, whatever the exit code is', done(1, '{"decision":"DENY","reason":"R"}'), 'R'],
    ['openhands', 'another exit code', done(1, '', 'R'), undefined],
    ['iflow', 'any exit code but 0', done(1, '', 'R'), 'R'],
    ['iflow', 'exit code 2 without a word', done(2), 'The hook refused without giving a reason'],
    ['iflow', 'a deny in JSON, which it does not read', done(0, '{"decision":"deny"}'), undefined],
    ['abacus', 'exit code 2', done(2, '', 'R'), 'R'],
    [
      'abacus',
      'a nested deny',
      done(0, '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"R"}}'),
      'R',
    ],
    ['abacus', 'another exit code', done(1, '', 'R'), undefined],
    ['firebender', 'exit code 2', done(2, '', 'R'), 'R'],
    ['firebender', 'a permission that is denied', done(0, '{"permission":"deny","agent_message":"R"}'), 'R'],
    ['firebender', 'another exit code, whatever is printed', done(1, '{"permission":"deny"}'), undefined],
    ['cline', 'a cancel, whatever the exit code is', done(1, '{"cancel":true,"errorMessage":"R"}'), 'R'],
    ['cline', 'exit code 2, which means nothing', done(2, '', 'R'), undefined],
  ])('HS-1 %s: %s', (name, _what, printed, reason) => {
    expect(refusal(name, printed)).toBe(reason);
  });
});

describe('matchers', () => {
  it.each([
    ['iflow', 'Edit', 'replace', true],
    ['iflow', 'Bash|Edit', 'run_shell_command', true],
    ['iflow', '.*_file', 'write_file', true],
    ['iflow', 'edit_', 'replace', false],
    ['iflow', 'repl', 'replace', false],
    ['iflow', '[', '[', true],
    ['abacus', 'Bash, Read', 'Read', true],
    ['abacus', 'Bash|Read', 'BashOutput', false],
    ['abacus', 'Bas.*', 'BashOutput', true],
    ['firebender', 'Shell|Write', 'Write', true],
    ['firebender', 'Shell|Write', 'Read', false],
  ])('HS-2 %s: %s and %s', (name, pattern, tool, matches) => {
    expect(host(name).spellings[0].compileMatcher(pattern)(tool)).toBe(matches);
  });
});

describe('inputs of Firebender', () => {
  const firebender = host('firebender');
  const call = (more: Readonly<Record<string, unknown>>) => {
    const read = decodeEvent(
      firebender,
      JSON.stringify({ hook_event_name: 'preToolUse', completion_id: 'c', tool_use_id: 'u', ...more }),
    );
    if (!read.ok) throw new Error(read.problem);
    return read.call;
  };
  const shell = { tool_name: 'Shell', tool_input: { command: 'ls' } };

  it('HS-2 name the folder in one of two ways', () => {
    expect(call({ ...shell, workspace_roots: ['/a', '/b'] }).input).toMatchObject({
      cwd: '/a',
      session_id: 'c',
    });
    expect(call({ ...shell, repo_working_dir: '/r', workspace_roots: ['/a'] }).input).toMatchObject({
      cwd: '/r',
    });
  });

  it('HS-2 name the path of a file in one of two ways', () => {
    for (const field of ['path', 'file_path'])
      expect(call({ tool_name: 'Read', tool_input: { [field]: '/x' } }).input).toMatchObject({
        tool_name: 'Read',
        tool_input: { file_path: '/x' },
      });
  });

  it('HS-11 a patch that is the whole input is judged as the files that it writes', () => {
    const patch =
      '*** Begin Patch\n*** Update File: /w/a.ts\n@@\n-a\n+b\n*** Delete File: /w/b.ts\n*** End Patch';
    const { input, spelling } = call({ tool_name: 'Edit', tool_input: patch, workspace_roots: ['/w'] });
    expect(
      spelling
        .partsOf?.(input)
        .map(({ tool_name, tool_input }) => [tool_name, (tool_input as { file_path: string }).file_path]),
    ).toEqual([
      ['Edit', '/w/a.ts'],
      ['Write', '/w/b.ts'],
    ]);
  });
});

it('HS-27 a call whose input is there twice, under our name and that of its event, is refused', () => {
  const given = {
    hookName: 'PreToolUse',
    tool_input: { command: 'rm' },
    preToolUse: { toolName: 'run_commands', parameters: { commands: '["ls"]' } },
  };
  expect(decodeEvent(host('cline'), JSON.stringify(given))).toMatchObject({
    ok: false,
    problem: expect.stringContaining('two different values'),
  });
});
