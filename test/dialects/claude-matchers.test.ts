/** Matchers as Claude Code reads them: what the pattern means, on names of any length, in bounded time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSearch } from '../../src/base/text/pattern/search.js';
import { claudeCode } from '../../src/dialects/claude-code/index.js';
import { hookline } from '../../src/dialects/hookline/index.js';
import { massgen } from '../../src/dialects/massgen/index.js';
import { processorMs } from '../support/processor-time.js';
import { makeRunner } from '../support/runner.js';

const matches = (pattern: string, name: string): boolean => claudeCode.compileMatcher(pattern)(name);
const LONG = 'a'.repeat(100_000);
/** Far above what it takes, also on a busy machine; what went wrong here took a minute. */
const BOUND_MS = 2000;

function inTime<T>(work: () => T): T {
  const started = processorMs();
  const result = work();
  expect(processorMs() - started).toBeLessThan(BOUND_MS);
  return result;
}

describe('names of any length', () => {
  it.each([
    ['^mcp__.*delete$', `mcp__${'a'.repeat(130)}__delete`, true],
    ['.*delete.*', `mcp__${'a'.repeat(130)}__delete`, true],
    ['^mcp__.*delete$', `mcp__${LONG}__delete`, true],
    ['^mcp__.*delete$', `mcp__${LONG}__deleted`, false],
    ['^(?!mcp__).*$', LONG, true],
    ['^(?!mcp__).*$', `mcp__${LONG}`, false],
    ['(?<=__)delete$', `mcp__${LONG}__delete`, true],
    [`${'.?'.repeat(24)}X`, 'a'.repeat(129), false],
    [`${'.?'.repeat(24)}X`, LONG, false],
    ['.*.*.*.*X', LONG, false],
    ['(a+)+$', `${LONG}!`, false],
    ['^(\\w|\\w)*\\($', LONG, false],
    ['^((a|a))+$', LONG, true],
  ])('MA-11 %s is matched against the whole of a name', (pattern, name, expected) => {
    expect(inTime(() => matches(pattern, name))).toBe(expected);
  });

  it('MA-11 a guard sees a tool whose name is long', async () => {
    const { runner } = makeRunner();
    const guard = () => ({ decision: 'block', reason: 'no deleting' }) as const;
    runner.on('PreToolUse', { matcher: '^mcp__.*delete$', dialect: 'claude-code' }, guard);
    const tool_name = `mcp__${'a'.repeat(1000)}__delete`;
    const outcome = await runner.fire('PreToolUse', { tool_name, tool_input: {}, tool_use_id: 'u' });
    expect(outcome.decision).toBe('deny');
  });
});

describe('hostile patterns', () => {
  it.each([
    ['counted repetitions', `${'.{0,500}'.repeat(4)}X`],
    ['counted repetitions inside of each other', '((a?){0,100}){0,100}b'],
    ['very many of them', '(((a{1,100}){1,100}){1,100}){1,100}b'],
    ['empty groups, a billion times', '(((){1000}){1000}){1000}b'],
    ['groups deep inside of each other', `${'('.repeat(1000)}a${')*'.repeat(1000)}b`],
    ['repeated choices', `${'(a|'.repeat(90)}b${')*'.repeat(90)}c`],
    ['lookaheads inside of each other', `${'(?!'.repeat(90)}b${')'.repeat(90)}c`],
    ['a back reference', '(a*)*\\1b'],
    ['a named back reference', '(?<x>a*)*\\k<x>b'],
    ['two thousand choices', `${'a|'.repeat(2000)}b-`],
    [
      'a large class',
      `[${Array.from({ length: 1300 }, (_, i) => String.fromCharCode(256 + 3 * i)).join('')}]*-`,
    ],
    ['a pattern that is long', `${'a?'.repeat(100_000)}-`],
    ['sets of states that grow without end', '(a|b)*a(a|b){12}c'],
  ])('MA-9 MA-12 %s: compiled and matched in bounded time, and never dropped', (_, pattern) => {
    const compiled = inTime(() => claudeCode.compileMatcher(pattern));
    for (const name of ['a'.repeat(129), LONG, 'ab'.repeat(50_000)])
      expect(typeof inTime(() => compiled(name))).toBe('boolean');
    inTime(() => claudeCode.lintMatcher(pattern));
  });

  it('MA-12 what cannot be decided in time counts as a match', () => {
    expect(matches(`${'.{0,500}'.repeat(4)}X`, LONG)).toBe(true);
    expect(matches(`${'.{0,500}'.repeat(4)}X`, 'Bash')).toBe(false);
  });

  it.each([
    ['(\\w)\\1', 'refers back'],
    ['(?<x>a)\\k<x>', 'refers back'],
    ['a{3000}|b{3000}', 'states'],
    [`${'('.repeat(200)}${')'.repeat(200)}`, 'deep'],
    [`${'(?!x)'.repeat(20)}`, 'lookarounds'],
    ['.'.repeat(5000), 'characters'],
  ])('MA-12 %s is matched by every name, and that is said', (pattern, why) => {
    expect(matches(pattern, 'Bash')).toBe(true);
    const { runner } = makeRunner({ onWarning: () => {} });
    runner.on('PreToolUse', { matcher: pattern, dialect: 'claude-code' }, () => ({}));
    expect(runner.warnings).toMatchObject([{ code: 'matcher_doubtful' }]);
    expect(runner.warnings[0]?.message).toMatch(/matches every name.*bounded time/);
    expect(runner.warnings[0]?.message).toContain(why);
  });

  it.each(['(', '[', '*a', 'a{2,1}', '(?<x>a)(?<x>b)-'])(
    'MA-7 %s is no regular expression and refused',
    (pattern) => {
      expect(() => claudeCode.compileMatcher(pattern)).toThrow(
        expect.objectContaining({ code: 'invalid_matcher' }),
      );
      expect(claudeCode.lintMatcher(pattern)).toBeUndefined();
    },
  );

  it('MA-9 a glob with long words is matched in bounded time too, and what takes longer counts as a match', () => {
    const word = 'a'.repeat(500);
    for (const { compileMatcher } of [hookline, massgen])
      expect(inTime(() => compileMatcher(`*${word}?${word}b*`)(LONG))).toBe(true);
    for (const { compileMatcher } of [hookline, massgen]) {
      expect(inTime(() => compileMatcher('mcp__*delete')(`mcp__${LONG}delete`))).toBe(true);
      expect(inTime(() => compileMatcher('mcp__*delete')(`mcp__${LONG}deleted`))).toBe(false);
    }
  });
});

describe('what a pattern means', () => {
  const PIECES = [
    ...[
      'a',
      'b',
      '_',
      '-',
      '.',
      '^',
      '$',
      '\\b',
      '\\B',
      '[ab]',
      '[^a]',
      '[a-c_]',
      '[\\w-]',
      '\\w',
      '\\W',
      '\\d',
    ],
    ...['\\s', '(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<n>', ')', ')', ')', '|', '*', '+', '?', '{2}'],
    ...[
      '{0,2}',
      '{1,}',
      '*?',
      '{',
      '}',
      ']',
      '{,2}',
      '\\.',
      '\\u0061',
      '\\x62',
      '[^]',
      '[]',
      '[\\d-a]',
      '[-a]',
    ],
    ...['\\cA', '\\0', '\\p{L}', '\\u{2}', 'é', '\\t', '[\\b]', 'mcp__'],
  ];
  const LETTERS = ['a', 'b', '_', '-', ' ', 'c', 'A', '1', '\n', 'é', 'p', 'u', '.', '\u0001', '\0', 'mcp__'];
  const joined = (parts: readonly string[], maxLength: number) =>
    fc.array(fc.constantFrom(...parts), { maxLength }).map((each) => each.join(''));

  it('MA-11 is what JavaScript means by it, for any expression and any name', () => {
    let compared = 0;
    fc.assert(
      fc.property(joined(PIECES, 8), fc.array(joined(LETTERS, 8), { minLength: 5 }), (source, names) => {
        let expression: RegExp;
        try {
          expression = new RegExp(source);
        } catch {
          expect(() => compileSearch(source)).toThrow(SyntaxError);
          return;
        }
        const search = compileSearch(source);
        if (typeof search === 'string') return;
        for (const name of names) expect(search(name), `${source} on ${name}`).toBe(expression.test(name));
        compared += 1;
      }),
      { numRuns: 4000 },
    );
    expect(compared).toBeGreaterThan(500);
  });
});
