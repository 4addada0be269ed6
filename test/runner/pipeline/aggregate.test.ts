import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PermissionDecision, Verdict } from '../../../src/handlers/verdict.js';
import {
  aggregate,
  type ExecutedStage,
  emptyOutcome,
  type Precedence,
} from '../../../src/runner/aggregate.js';
import type { HookOutcome } from '../../../src/runner/outcome.js';
import { toResult } from '../../../src/runner/result.js';

type Said = Partial<Verdict> & { readonly name?: string };

/** A hook that has run and said this. */
function ran(said: Said, id = 'h'): ExecutedStage['hooks'][number] {
  const { name = `hook-${id}`, ...rest } = said;
  const verdict: Verdict = { outcome: 'success', ...rest };
  return { verdict, result: toResult(id, name, 0, { kind: 'returned', output: undefined }, verdict, false) };
}

const stage = (parallel: boolean, ...said: readonly Said[]): ExecutedStage => ({
  parallel,
  hooks: said.map((each, i) => ran(each, String(i))),
});

function fold(
  said: readonly Said[],
  precedence: Precedence = 'allow-over-ask',
  parallel = false,
): HookOutcome {
  return aggregate('PreToolUse', [stage(parallel, ...said)], precedence, false);
}

const decision = fc.constantFrom<PermissionDecision | undefined>('allow', 'deny', 'ask', 'defer', undefined);
const precedence = fc.constantFrom<Precedence>('allow-over-ask', 'ask-over-allow');
const text = fc.option(fc.string({ maxLength: 5 }), { nil: undefined });
const flag = fc.option(fc.boolean(), { nil: undefined });

/** Anything that a hook may say. Undefined parts are left out, as they are in verdicts. */
const said: fc.Arbitrary<Said> = fc
  .record({
    decision,
    reason: text,
    continue: flag,
    stopReason: text,
    suppressOutput: flag,
    systemMessage: text,
    additionalContext: text,
    updatedInput: fc.option(fc.dictionary(fc.constantFrom('a', 'b'), fc.nat(9)), { nil: undefined }),
    output: fc.option(fc.oneof(fc.nat(3), fc.constant(null)), { nil: undefined }),
  })
  .map(({ output, ...parts }) => {
    const present = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
    return output === undefined ? present : { ...present, updatedOutput: output, hasUpdatedOutput: true };
  });
const hooks = fc.array(said, { maxLength: 6 });

describe('decisions', () => {
  it('ME-2 any deny is a deny, whatever else was said and in whatever order', () => {
    fc.assert(
      fc.property(hooks, fc.nat(), precedence, fc.boolean(), (others, at, precedence, parallel) => {
        const all = others.toSpliced(at % (others.length + 1), 0, { decision: 'deny' });
        expect(fold(all, precedence, parallel).decision).toBe('deny');
      }),
    );
  });

  it('ME-2 the order of the hooks never changes the decision, only the reason', () => {
    fc.assert(
      fc.property(
        hooks.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        precedence,
        ([all, shuffled], precedence) => {
          expect(fold(shuffled, precedence).decision).toBe(fold(all, precedence).decision);
        },
      ),
    );
  });

  it('ME-2 the first deny in plan order gives the reason', () => {
    const outcome = fold([
      { decision: 'allow', reason: 'fine' },
      { decision: 'deny', reason: 'first' },
      { decision: 'deny', reason: 'second' },
    ]);
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'first' });
  });

  it("ME-2 a deny without a reason has a default text that names the hook, not another hook's reason", () => {
    const outcome = fold([
      { decision: 'allow', reason: 'fine' },
      { decision: 'deny', name: 'guard' },
      { decision: 'deny', reason: 'second' },
    ]);
    expect(outcome.reason).toContain('guard');
    expect(outcome.reason).not.toContain('second');
  });

  it.each([
    ['allow-over-ask', ['ask', 'allow'], 'allow'],
    ['allow-over-ask', ['allow', 'ask'], 'allow'],
    ['allow-over-ask', ['ask', undefined], 'ask'],
    ['ask-over-allow', ['allow', 'ask'], 'ask'],
    ['ask-over-allow', ['ask', 'allow'], 'ask'],
    ['ask-over-allow', [undefined, 'allow'], 'allow'],
    ['allow-over-ask', ['allow', 'defer', 'ask'], 'defer'],
    ['ask-over-allow', ['ask', 'allow', 'defer'], 'defer'],
    ['allow-over-ask', ['defer', 'deny'], 'deny'],
    ['allow-over-ask', [undefined, undefined], undefined],
    ['ask-over-allow', [], undefined],
  ] as const)('ME-3 ME-4 with %s, %j comes to %s', (precedence, decisions, expected) => {
    const all = decisions.map((decision) => (decision === undefined ? {} : { decision }));
    expect(fold(all, precedence).decision).toBe(expected);
  });

  it('ME-3 the reason is that of the first hook with the decision that counts', () => {
    fc.assert(
      fc.property(hooks, precedence, (all, precedence) => {
        const outcome = fold(all, precedence);
        const deciding = all.find((each) => each.decision === outcome.decision);
        if (outcome.decision === undefined || deciding === undefined) return;
        if (deciding.reason !== undefined) expect(outcome.reason).toBe(deciding.reason);
        else if (outcome.decision !== 'deny') expect(outcome).not.toHaveProperty('reason');
      }),
    );
  });

  it('ME-4 without any opinion there is no decision at all', () => {
    expect(fold([{}, { systemMessage: 'hello' }])).not.toHaveProperty('decision');
  });
});

describe('continuing', () => {
  it('ME-6 false when any hook says false, else true when any says true, else undefined', () => {
    fc.assert(
      fc.property(hooks, (all) => {
        const said = all.map((each) => each.continue);
        const expected = said.includes(false) ? false : said.includes(true) ? true : undefined;
        expect(fold(all).continue).toBe(expected);
        if (expected === undefined) expect(fold(all)).not.toHaveProperty('continue');
      }),
    );
  });

  it('ME-6 the stop reason is that of the first hook that says false, and of no other', () => {
    fc.assert(
      fc.property(hooks, (all) => {
        const first = all.find((each) => each.continue === false);
        expect(fold(all).stopReason).toBe(first?.stopReason);
      }),
    );
  });
});

describe('texts and lists', () => {
  it('ME-7 output is suppressed when any hook says so', () => {
    fc.assert(
      fc.property(hooks, (all) => {
        expect(fold(all).suppressOutput).toBe(all.some((each) => each.suppressOutput === true));
      }),
    );
  });

  it('ME-7 messages, contexts, specific outputs, failures and injections keep every entry in plan order', () => {
    const failure = { kind: 'threw', message: 'boom' } as const;
    const injection = { content: 'news', strategy: 'tool_result' } as const;
    const specific = (n: number) => ({ hookEventName: 'PreToolUse', n });
    const outcome = fold([
      {
        systemMessage: 'a',
        additionalContext: 'x',
        hookSpecificOutput: specific(1),
        injections: [injection],
      },
      { outcome: 'error', failure },
      { systemMessage: 'b', additionalContext: 'y', hookSpecificOutput: specific(2) },
      { additionalContext: '', injections: [injection, injection] },
    ]);
    expect(outcome.systemMessages).toEqual(['a', 'b']);
    expect(outcome.additionalContext).toEqual(['x', 'y', '']);
    expect(outcome.hookSpecificOutputs).toEqual([specific(1), specific(2)]);
    expect(outcome.injections).toHaveLength(3);
    expect(outcome.failures).toEqual([{ hookId: '1', name: 'hook-1', ...failure, blocked: false }]);
    expect(outcome.results.map((result) => result.hookId)).toEqual(['0', '1', '2', '3']);
  });

  it('FA-8 notes of hooks are listed with the hook they are about', () => {
    const outcome = fold([{}, { notes: ['one', 'two'], name: 'guard' }]);
    expect(outcome.notes).toEqual([
      { hookId: '1', name: 'guard', message: 'one' },
      { hookId: '1', name: 'guard', message: 'two' },
    ]);
  });

  it('AS-4 a hook whose answer is still to come is listed as pending', () => {
    const pending = { hookId: '0', name: 'slow', completion: Promise.resolve(ran({}).result) };
    const outcome = aggregate(
      'PreToolUse',
      [{ parallel: false, hooks: [{ ...ran({}), pending }] }],
      'allow-over-ask',
      false,
    );
    expect(outcome.pending).toEqual([pending]);
  });
});

describe('rewrites', () => {
  it('ME-8 the last rewritten input in plan order counts, whole', () => {
    const outcome = fold([{ updatedInput: { a: 1, b: 1 } }, { updatedInput: { b: 2 } }, {}]);
    expect(outcome.updatedInput).toStrictEqual({ b: 2 });
  });

  it('ME-8 the last rewritten output in plan order counts, also when it is null or false', () => {
    for (const value of [null, false, 0, '']) {
      const outcome = fold([
        { updatedOutput: { a: 1 }, hasUpdatedOutput: true },
        { updatedOutput: value, hasUpdatedOutput: true },
        { decision: 'allow' },
      ]);
      expect(outcome.updatedOutput).toBe(value);
    }
  });

  it('ME-8 without a rewrite there is none in the outcome', () => {
    expect(fold([{}, {}])).not.toHaveProperty('updatedInput');
    expect(fold([{}, {}])).not.toHaveProperty('updatedOutput');
  });

  it('ME-9 two rewrites in parallel: the later wins, and a note says so for each that replaces another', () => {
    const outcome = fold(
      [
        { updatedInput: { n: 1 } },
        {},
        { updatedInput: { n: 2 }, name: 'second' },
        { updatedInput: { n: 3 } },
      ],
      'allow-over-ask',
      true,
    );
    expect(outcome.updatedInput).toEqual({ n: 3 });
    expect(outcome.notes.map(({ hookId }) => hookId)).toEqual(['2', '3']);
    expect(outcome.notes[0]).toMatchObject({ name: 'second', message: expect.stringContaining('parallel') });
  });

  it('ME-9 the same for outputs', () => {
    const outcome = fold(
      [
        { updatedOutput: 1, hasUpdatedOutput: true },
        { updatedOutput: 2, hasUpdatedOutput: true },
      ],
      'allow-over-ask',
      true,
    );
    expect(outcome.updatedOutput).toBe(2);
    expect(outcome.notes).toHaveLength(1);
  });

  it('ME-9 rewrites one after another, or of different things, are no conflict', () => {
    expect(fold([{ updatedInput: { n: 1 } }, { updatedInput: { n: 2 } }]).notes).toEqual([]);
    const input = { updatedInput: { n: 1 } };
    const output = { updatedOutput: 1, hasUpdatedOutput: true };
    expect(fold([input, output], 'allow-over-ask', true).notes).toEqual([]);
    const stages = [stage(false, input), stage(true, input), stage(true, input)];
    expect(aggregate('PreToolUse', stages, 'allow-over-ask', false).notes).toEqual([]);
  });

  it('ME-9 two parallel outputs are a conflict also when the first repeats what came before', () => {
    const says = (value: unknown): Said => ({ updatedOutput: value, hasUpdatedOutput: true });
    const stages = [stage(false, says('same')), stage(true, says('same'), says('other'))];
    const outcome = aggregate('PostToolUse', stages, 'allow-over-ask', false);
    expect(outcome.updatedOutput).toBe('other');
    expect(outcome.notes).toHaveLength(1);
  });
});

describe('the fold', () => {
  /** Everything but the notes about conflicts, which are about who ran in parallel. */
  const meaning = ({ notes: _, ...rest }: HookOutcome) => rest;

  it('ME-2 ME-3 ME-6 ME-7 ME-8 is the same however the hooks are cut into stages', () => {
    fc.assert(
      fc.property(hooks, fc.array(fc.tuple(fc.nat(6), fc.boolean())), precedence, (all, cuts, precedence) => {
        const executed = all.map((each, i) => ran(each, String(i)));
        const stages: ExecutedStage[] = [];
        let from = 0;
        for (const [length, parallel] of cuts) {
          stages.push({ parallel, hooks: executed.slice(from, from + length) });
          from += length;
        }
        stages.push({ parallel: false, hooks: executed.slice(from) });
        const whole = aggregate('PreToolUse', [{ parallel: false, hooks: executed }], precedence, false);
        expect(meaning(aggregate('PreToolUse', stages, precedence, false))).toEqual(meaning(whole));
      }),
    );
  });

  it('ME-4 a hook without an opinion, anywhere, changes nothing but the results', () => {
    fc.assert(
      fc.property(hooks, fc.nat(), precedence, fc.boolean(), (all, at, precedence, parallel) => {
        const executed = all.map((each, i) => ran(each, String(i)));
        const silent = executed.toSpliced(at % (all.length + 1), 0, ran({}, 'silent'));
        const outcome = (hooks: ExecutedStage['hooks']) => {
          const { results, ...rest } = aggregate('Stop', [{ parallel, hooks }], precedence, false);
          return rest;
        };
        expect(outcome(silent)).toEqual(outcome(executed));
      }),
    );
  });

  it('ME-2 gives the same for the same, and leaves what it is given alone', () => {
    fc.assert(
      fc.property(hooks, precedence, fc.boolean(), (all, precedence, parallel) => {
        const given = [stage(parallel, ...all)];
        const before = structuredClone(given);
        expect(aggregate('Stop', given, precedence, true)).toEqual(
          aggregate('Stop', given, precedence, true),
        );
        expect(given).toEqual(before);
      }),
    );
  });

  it('AB-1 an outcome says whether its fire was aborted', () => {
    expect(aggregate('Stop', [], 'allow-over-ask', true).aborted).toBe(true);
    expect(aggregate('Stop', [], 'allow-over-ask', false)).toEqual(emptyOutcome('Stop'));
  });

  it('EV-7 an empty outcome has nothing in it, and lists that cannot be filled', () => {
    const empty = emptyOutcome('Stop');
    for (const [key, value] of Object.entries(empty)) {
      if (Array.isArray(value)) expect(Object.isFrozen(value), key).toBe(true);
    }
    expect(empty).toMatchObject({ event: 'Stop', results: [], suppressOutput: false, aborted: false });
  });
});
