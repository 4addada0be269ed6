import fc from 'fast-check';
import colors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { showFire } from '../../../src/cli/hooks/show-fire.js';
import type { Printer } from '../../../src/cli/printer.js';
import type { PermissionDecision, Verdict } from '../../../src/handlers/verdict.js';
import { outcomeAttributes, outcomeContent } from '../../../src/integrations/opentelemetry/attributes.js';
import { summaryOf } from '../../../src/live/fires.js';
import { aggregate, emptyOutcome } from '../../../src/runner/aggregate.js';
import { capTexts } from '../../../src/runner/cap-text.js';
import { foldOf, NOTHING_SAID, type Unfinished } from '../../../src/runner/fold-fields.js';
import type { HookOutcome } from '../../../src/runner/outcome.js';
import { CAPPED_ROWS, OUTCOME_ROWS, RESULT_KEYS, textsIn } from '../../../src/runner/outcome-rows.js';
import { copyKeys, toResult } from '../../../src/runner/result.js';
import type { SpillStore } from '../../../src/runner/spill-store.js';
import { moduleTestSchema } from '../../../src/testing/hook-tests/schema.js';
import { compareOutcomes } from '../../../src/testing/recording/compare.js';
import { entrySchema, recordedOutcome } from '../../../src/testing/recording/entry.js';

const text = fc.string({ maxLength: 5 });
const json = fc.oneof(fc.nat(3), fc.constant(null), text);

/** Anything that a verdict may say, each part present or not. */
const verdicts: fc.Arbitrary<Verdict> = fc
  .record(
    {
      decision: fc.constantFrom<PermissionDecision>('allow', 'deny', 'ask', 'defer'),
      reason: text,
      continue: fc.boolean(),
      stopReason: text,
      suppressOutput: fc.boolean(),
      systemMessage: text,
      systemMessageFor: fc.constant('people' as const),
      toolFinishes: fc.boolean(),
      additionalContext: text,
      updatedInput: fc.dictionary(text, json),
      updatedOutput: json,
      hasUpdatedOutput: fc.boolean(),
      hookSpecificOutput: fc.dictionary(text, json),
      injections: fc.array(
        fc.record({ content: text, strategy: fc.constantFrom('tool_result', 'user_message') }),
      ),
      failure: fc.record({ kind: fc.constant('threw' as const), message: text }),
      notes: fc.array(text),
    },
    { requiredKeys: [] },
  )
  .map((said) => ({ outcome: 'success', ...said }) as Verdict);

const returned = { kind: 'returned', output: undefined } as const;
const ran = (verdict: Verdict, i: number) => ({
  verdict,
  result: toResult(String(i), `hook-${i}`, 0, returned, verdict, false),
});

const STORE = { save: async () => undefined } as unknown as SpillStore;

/** One outcome with something in every field. */
const FULL: HookOutcome = {
  ...emptyOutcome('PreToolUse'),
  decision: 'ask',
  reason: 'the reason',
  continue: false,
  stopReason: 'the stop reason',
  suppressOutput: true,
  additionalContext: ['the context'],
  systemMessages: ['the message'],
  updatedInput: { the: 'input' },
  updatedOutput: { the: 'output' },
  injections: [{ content: 'the injection', strategy: 'tool_result' }],
  failures: [{ hookId: 'h', name: 'n', kind: 'threw', message: 'the failure', blocked: false }],
  notes: [{ hookId: 'h', name: 'n', message: 'the note' }],
};

describe('the straight code', () => {
  it('ME-2 ME-6 ME-7 ME-8 folds as the table says', () => {
    const foldByTable = foldOf(OUTCOME_ROWS);
    fc.assert(
      fc.property(fc.array(verdicts, { maxLength: 5 }), (all) => {
        const hooks = all.map(ran);
        const straight = aggregate('Stop', [{ parallel: false, hooks }], 'allow-over-ask', false);
        const { decision, reason, failures, ...folded } = straight;
        const expected = { ...emptyOutcome('Stop'), results: straight.results } as Unfinished;
        for (const hook of hooks) foldByTable?.(expected, hook);
        const { failures: _, ...rest } = expected;
        expect(folded).toStrictEqual(rest);
      }),
    );
  });

  it('ME-7 an outcome begins with what the table says', () => {
    const { event, results, aborted, ...fields } = emptyOutcome('Stop');
    expect(fields).toStrictEqual(NOTHING_SAID);
  });

  it('ME-7 a result has of its verdict what the table says', () => {
    fc.assert(
      fc.property(verdicts, (verdict) => {
        const { hookId, name, outcome, durationMs, message, failure, notes, ...copied } = ran(
          verdict,
          0,
        ).result;
        const expected = {};
        copyKeys(expected, verdict, RESULT_KEYS);
        expect(copied).toStrictEqual(expected);
        expect(message).toBe(verdict.reason);
      }),
    );
  });

  it.each(CAPPED_ROWS)('TX-1 a long text in $field is found and cut', async ({ field, text: form }) => {
    const long = 'x'.repeat(50);
    const item = typeof form === 'object' ? { [form.key]: long } : long;
    const value = Array.isArray(FULL[field]) ? [item] : item;
    const row = CAPPED_ROWS.find((each) => each.field === field);
    const capped = await capTexts({ ...emptyOutcome('Stop'), [field]: value }, 20, STORE);
    expect(row && textsIn(capped, row)[0]).toMatch(/^x{20}\n\[cut: 50 characters/);
  });

  it('TX-1 a long text in a result is found and cut', async () => {
    const long = 'x'.repeat(50);
    for (const { verdict: key, ofHook } of CAPPED_ROWS) {
      if (ofHook !== 'result' || key === null) continue;
      const results = [ran({ outcome: 'success', [key]: long }, 0).result];
      const capped = await capTexts({ ...emptyOutcome('Stop'), results }, 20, STORE);
      expect(capped.results[0]?.[key as 'reason'], key).toMatch(/^x{20}\n/);
    }
  });
});

describe('every field', () => {
  it.each(OUTCOME_ROWS)('CL-37 CL-39 $field is recorded and compared where the table says so', (row) => {
    const { field, role } = row;
    const recorded = recordedOutcome(FULL);
    expect(field in recorded).toBe(row.recorded !== null);
    if (row.recorded === null) return;
    const line = { version: 1, at: '', event: 'Stop', input: {}, outcome: recorded };
    expect(entrySchema.parse(JSON.parse(JSON.stringify(line))).outcome).toEqual(recorded);
    const { [field]: _, ...without } = recorded as Record<string, unknown>;
    const { decided, worded } = compareOutcomes(recorded, without as typeof recorded);
    const acted = role === 'decides' || role === 'rewrites';
    expect([decided, worded].map((changes) => changes.map((change) => change.field))).toEqual(
      acted ? [[field], []] : [[], [field]],
    );
  });

  it.each(OUTCOME_ROWS)('CL-30 $field can be expected where the table says so', ({ field, expected }) => {
    const test = (expect: object) => moduleTestSchema.safeParse({ event: 'Stop', expect }).success;
    if (expected === null) return expect(test({ [field]: 'x' })).toBe(false);
    expect(test({ [expected.name]: expected.by === 'value' ? (FULL[field] ?? null) : 'a part' })).toBe(true);
    expect(test({ [expected.name]: ['a part', /pattern/] })).toBe(
      expected.by === 'texts' || field === 'updatedOutput',
    );
  });

  it.each(OUTCOME_ROWS)('LV-7 $field is shown where the table says so', (row) => {
    const { effects } = summaryOf(FULL);
    for (const each of textsIn(FULL, row))
      expect(effects.some((effect) => effect.endsWith(`: ${each}`))).toBe(row.shown?.live === true);
  });

  it('LV-7 what is rewritten is shown first, then what is added', () => {
    expect(summaryOf({ ...FULL, aborted: true }).effects).toEqual([
      'new input: {"the":"input"}',
      'new output: {"the":"output"}',
      'context: the context',
      'message: the message',
      'injected: the injection',
      'stop reason: the stop reason',
      'note: the note',
      'ended early',
    ]);
  });

  it('CL-15 is shown by `hookline fire` where the table says so', async () => {
    const lines: string[] = [];
    const printer = {
      line: (text = '') => lines.push(text),
      paint: colors.createColors(false),
    } as unknown as Printer;
    const fired = {
      event: 'PreToolUse',
      input: {},
      outcome: FULL,
      ran: [],
      late: [],
      lateFailures: 0,
    } as const;
    await showFire(fired, printer, { cwd: '/', full: true });
    const shown = lines.slice(3).map((line) => line.trim().replace(/: +/, ': '));
    // Rewrites are shown as differences; a PreToolUse has no output.
    const rows = OUTCOME_ROWS.filter((row) => row.shown?.fire && row.role !== 'rewrites');
    expect(shown).toEqual([
      ...rows.flatMap((row) => textsIn(FULL, row).map((each) => `${row.shown?.label}: ${each}`)),
      'rewritten: tool_input',
      '+the: input',
    ]);
    expect(shown).toHaveLength(7);
  });

  it('OT-8 has its attribute, and texts only those of content', () => {
    expect(outcomeAttributes(FULL)).toEqual({
      'hookline.hooks': 0,
      'hookline.failures': 1,
      'hookline.pending': 0,
      'hookline.decision': 'ask',
      'hookline.blocked': false,
      'hookline.stopped': true,
      'hookline.aborted': false,
    });
    expect(outcomeContent(FULL)).toEqual({
      'hookline.reason': 'the reason',
      'hookline.stop_reason': 'the stop reason',
      'hookline.updated_input': '{"the":"input"}',
      'hookline.updated_output': '{"the":"output"}',
      'hookline.additional_context': ['the context'],
      'hookline.system_messages': ['the message'],
    });
    expect(outcomeContent(emptyOutcome('Stop'))).toEqual({});
  });
});
