import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plainCopy } from '../../src/base/json/plain-copy.js';
import { readAnswer } from '../../src/dialects/answer.js';
import { readFlatAnswer } from '../../src/dialects/flat-answer.js';
import { HOOK_EVENTS } from '../../src/events/registry.js';

const value = fc.constantFrom<unknown>(
  'approve',
  'block',
  'allow',
  'deny',
  'ask',
  'defer',
  'a text',
  'a \u001b[31mred text',
  '',
  true,
  false,
  7,
  null,
  undefined,
  [],
  {},
  { command: 'ls', nested: { deep: [1, 2] } },
  { behavior: 'deny', message: 'no' },
);

const recordOf = (keys: readonly string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: 5 })
    .map((entries): Record<string, unknown> => Object.fromEntries(entries));

const SPECIFIC = [
  'permissionDecision',
  'permissionDecisionReason',
  'additionalContext',
  'updatedInput',
  'updatedToolOutput',
  'decision',
  'permissionDecison',
];
const TOP = ['decision', 'reason', 'continue', 'stopReason', 'suppressOutput', 'systemMessage', 'reson'];

const answer = fc
  .tuple(recordOf(TOP), fc.option(recordOf(SPECIFIC), { nil: undefined }), fc.constantFrom(...HOOK_EVENTS))
  .map(([top, specific, event]) => ({
    event,
    answer:
      specific === undefined ? top : { ...top, hookSpecificOutput: { hookEventName: event, ...specific } },
  }));

it('FA-1 an answer that is read the short way means what it means the long way', () => {
  let short = 0;
  fc.assert(
    fc.property(answer, ({ event, answer }) => {
      const verdict = readFlatAnswer(event, answer);
      if (verdict === undefined) return;
      short += 1;
      const copied = plainCopy(answer) as { value: Record<string, unknown> };
      expect(verdict).toStrictEqual(readAnswer(event, copied.value, {}));
    }),
    { numRuns: 3000 },
  );
  expect(short).toBeGreaterThan(100);
});

it('FA-1 what a hook keeps of its answer cannot change what was read', () => {
  const updatedInput = { command: 'ls' };
  const hookSpecificOutput = { hookEventName: 'PreToolUse', updatedInput };
  const verdict = readFlatAnswer('PreToolUse', { hookSpecificOutput });
  updatedInput.command = 'rm';
  hookSpecificOutput.hookEventName = 'Stop';
  expect(verdict?.updatedInput).toEqual({ command: 'ls' });
  expect(verdict?.hookSpecificOutput?.['hookEventName']).toBe('PreToolUse');
});

it('FA-1 reasons of one length, clean and not, in any order and again, are each escaped as the long way does', () => {
  const reason = fc.constantFrom(
    'a text',
    'b text',
    'a\u001btext',
    'a\u202etext',
    'x'.repeat(600),
    `${'x'.repeat(599)}\u0007`,
  );
  fc.assert(
    fc.property(fc.array(reason, { minLength: 3, maxLength: 12 }), (reasons) => {
      for (const given of reasons) {
        const answer = { decision: 'deny', reason: given };
        expect(readFlatAnswer('PreToolUse', answer)).toEqual(readAnswer('PreToolUse', answer, {}));
      }
    }),
  );
});
