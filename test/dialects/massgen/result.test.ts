/** What a HookResult means. */
import { expect, test } from 'vitest';
import { massgen } from '../../../src/dialects/massgen/index.js';
import type { Completion } from '../../../src/handlers/completion.js';
import type { Verdict } from '../../../src/handlers/verdict.js';
import type { HookEvent } from '../../../src/index.js';

const read = (output: unknown, event: HookEvent = 'PreToolUse'): Verdict =>
  massgen.interpret(event, { kind: 'returned', output }, {});
const failureOf = (output: unknown): string | undefined => read(output).failure?.kind;

test('MG-17 either word denies, whatever the other says', () => {
  for (const answer of [
    { decision: 'deny' },
    { allowed: false },
    { allowed: false, decision: 'allow' },
    { allowed: false, decision: 'ask' },
    { allowed: true, decision: 'deny' },
  ]) {
    expect(read({ ...answer, reason: 'why' }), JSON.stringify(answer)).toMatchObject({
      outcome: 'success',
      decision: 'deny',
      reason: 'why',
    });
  }
});

test('MG-18 FA-11 a misspelt key is a failure that names the right one, unless that is there too', () => {
  for (const [answer, meant] of [
    [{ alowed: false }, 'allowed'],
    [{ Allowed: false }, 'allowed'],
    [{ decison: 'deny' }, 'decision'],
    [{ updatedInput: {} }, 'updated_input'],
    [{ reasons: 'why' }, 'reason'],
  ] as const) {
    expect(read(answer).failure, JSON.stringify(answer)).toMatchObject({
      kind: 'invalid-output',
      message: expect.stringContaining(`did you mean \`${meant}\`?`),
    });
  }
  expect(read({ decision: 'deny', decisions: 2, note: 'x' })).toMatchObject({ decision: 'deny' });
});

test('MG-17 allow means no objection and is no opinion, so it never outranks an ask', () => {
  for (const answer of [undefined, null, {}, { decision: 'allow' }, { allowed: true, decision: 'allow' }]) {
    expect(read(answer).decision, JSON.stringify(answer)).toBeUndefined();
    expect(read(answer).outcome).toBe('success');
  }
  expect(read({ decision: 'ask', reason: 'sure?' })).toMatchObject({ decision: 'ask', reason: 'sure?' });
});

test('MG-18 what MassGen would take for an allow is a failure', () => {
  for (const answer of [false, true, 0, 'deny', '', ['deny'], Symbol('deny'), () => ({ decision: 'deny' })]) {
    expect(failureOf(answer), String(answer)).toBe('invalid-output');
  }
  for (const answer of [
    { decision: 'block' },
    { decision: 'Deny' },
    { decision: null },
    { allowed: 'false' },
    { allowed: 0 },
    { allowed: null },
    { permissionDecision: 'deny' },
    { hookSpecificOutput: { permissionDecision: 'deny' } },
    { continue: false },
    { deny: true },
    { reason: 42 },
    { updated_input: 'rm' },
    { updated_input: [] },
    { modified_args: '{' },
    { modified_args: '[]' },
    { hook_errors: 'one' },
    { inject: 'text' },
    { inject: [1] },
    { inject: { content: 5 } },
    { inject: { content: 'x', strategy: 'system' } },
  ]) {
    expect(failureOf(answer), JSON.stringify(answer)).toBe('invalid-output');
    expect(read(answer).decision, JSON.stringify(answer)).toBeUndefined();
  }
});

test('MG-18 the message names the field, what came and what is wanted', () => {
  expect(read({ decision: 'block' }).failure?.message).toContain(
    '`decision` is "block"; give allow, deny or ask',
  );
  expect(read({ permissionDecision: 'deny' }).failure?.message).toContain('write `decision`');
});

test('MG-19 updated_input replaces the input; modified_args is its older form and counts first', () => {
  expect(read({ updated_input: { a: 1 } }).updatedInput).toEqual({ a: 1 });
  expect(read({ modified_args: '{"b": 2}', updated_input: { a: 1 } }).updatedInput).toEqual({ b: 2 });
  expect(read({ modified_args: null, updated_input: null }).updatedInput).toBeUndefined();
});

test('MG-19 after the tool there is no input to change: it is noted', () => {
  const verdict = read({ updated_input: { a: 1 } }, 'PostToolUse');
  expect(verdict.updatedInput).toBeUndefined();
  expect(verdict.notes?.join()).toContain('updated_input');
});

test('MG-20 every injection keeps its own strategy, tool_result where none is said', () => {
  const inject = [
    { content: 'a' },
    { content: 'b', strategy: 'user_message' },
    { content: 'c', strategy: null },
  ];
  expect(read({ inject }, 'PostToolUse').injections).toEqual([
    { content: 'a', strategy: 'tool_result' },
    { content: 'b', strategy: 'user_message' },
    { content: 'c', strategy: 'tool_result' },
  ]);
  expect(read({ inject: { content: 'x' } }).injections).toEqual([{ content: 'x', strategy: 'tool_result' }]);
});

test('MG-20 an injection without content is noted, not delivered', () => {
  for (const inject of [{}, { content: '' }, { content: null }]) {
    const verdict = read({ inject }, 'PostToolUse');
    expect(verdict.injections).toBeUndefined();
    expect(verdict.notes).toEqual(['an `inject` without content is ignored']);
  }
  expect(read({ inject: null }).notes).toBeUndefined();
});

test('MG-21 errors that a hook reports become notes, and records are left alone', () => {
  const answer = {
    hook_errors: ['disk full\u001b[0m'],
    executed_hooks: [{}],
    metadata: { a: 1 },
    colour: 'red',
  };
  const { notes, outcome } = read(answer);
  expect(outcome).toBe('success');
  expect(notes).toEqual(['unknown key `colour` is ignored', 'it reports: disk full\u241b[0m']);
});

test('MG-22 a deny ends the fire where it prevents something, and only there', () => {
  expect(massgen.endsFire?.('PreToolUse', 'deny')).toBe(true);
  expect(massgen.endsFire?.('PreToolUse', 'ask')).toBe(false);
  expect(massgen.endsFire?.('PreToolUse', undefined)).toBe(false);
  const late = read({ decision: 'deny', inject: { content: 'kept' } }, 'PostToolUse');
  expect(massgen.endsFire?.('PostToolUse', late.decision)).toBe(false);
  expect(late).toMatchObject({ decision: 'deny', injections: [{ content: 'kept' }] });
  expect(late.notes?.join()).toContain('too late');
});

const exit = (exitCode: number, stdout = '', stderr = ''): Completion => ({
  kind: 'exited',
  exitCode,
  signal: undefined,
  stdout,
  stderr,
});

test('MG-25 exit 0 reads stdout, exit 2 refuses with stderr, anything else is a failure', () => {
  const of = (completion: Completion): Verdict => massgen.interpret('PreToolUse', completion, {});
  expect(of(exit(0))).toEqual({ outcome: 'success' });
  expect(of(exit(0, '{"decision":"deny","reason":"no"}'))).toMatchObject({ decision: 'deny', reason: 'no' });
  expect(of(exit(0, 'fine')).failure?.kind).toBe('invalid-output');
  expect(of(exit(0, '[]')).failure?.kind).toBe('invalid-output');
  expect(of(exit(2, '{"decision":"allow"}', 'never'))).toMatchObject({ decision: 'deny', reason: 'never' });
  expect(of(exit(2)).reason).toContain('without giving a reason');
  expect(of(exit(1, '{"decision":"deny"}')).failure?.kind).toBe('exit-code');
  expect(of(exit(1)).decision).toBeUndefined();
});

test('MG-8 a handler that cannot be started denies, and after the tool is only reported', () => {
  for (const completion of [exit(127), exit(126), { kind: 'failed-to-start', message: 'gone' } as const]) {
    const before = massgen.interpret('PreToolUse', completion, {});
    expect(before).toMatchObject({ decision: 'deny', failure: { kind: 'failed-to-start' } });
    expect(massgen.interpret('PostToolUse', completion, {}).decision).toBeUndefined();
  }
  expect(massgen.interpret('PreToolUse', { kind: 'timed-out', timeoutMs: 1 }, {}).decision).toBeUndefined();
});
