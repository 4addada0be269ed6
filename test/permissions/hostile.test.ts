import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileCondition, compileRule, ruleCoversAll, ruleMatches } from '../../src/permissions/rule.js';
import { processorMs } from '../support/processor-time.js';

const PLACES = { cwd: '/w', home: '/h' };
/** Far above what it takes, far below what a line that explodes would take; machines are busy. */
const BOUND_MS = 1_500;

function judge(text: string, tool: string, input: unknown): boolean[] {
  const rule = compileRule(text);
  return [
    ruleMatches(rule, tool, input, PLACES),
    ruleCoversAll(rule, tool, input, PLACES),
    compileCondition(text, PLACES)({ tool_name: tool, tool_input: input, cwd: '/w' }),
  ];
}

describe('hostile rules and inputs', () => {
  const lines = [
    'a'.repeat(9_999),
    'a '.repeat(5_000),
    '('.repeat(9_999),
    '$('.repeat(4_999),
    '$(('.repeat(3_333),
    `${'$(('.repeat(1_600)}1${'))'.repeat(1_600)}`,
    '${'.repeat(4_999),
    '"$('.repeat(3_333),
    '`'.repeat(9_999),
    '\\`'.repeat(4_999),
    '<<a\n'.repeat(2_400),
    '<<a '.repeat(2_400),
    ';'.repeat(9_999),
    'A=1 '.repeat(2_400),
    'nohup '.repeat(1_600),
    '[[ '.repeat(3_300),
    "$'\\".repeat(2_400),
    '{a,'.repeat(3_300),
    'x'.repeat(1_000_000),
  ];
  const patterns = [
    '*a'.repeat(1_000),
    'a'.repeat(2_000),
    `${'a*'.repeat(1_000)}b`,
    '* * * * * * * * b',
    'a *',
  ];

  it.each(lines.map((line) => [line.slice(0, 12), line]))(
    'IF-18 a line of %j takes milliseconds',
    (_, line) => {
      for (const pattern of patterns) {
        const started = processorMs();
        expect(judge(`Bash(${pattern})`, 'Bash', { command: line })).toHaveLength(3);
        expect(processorMs() - started, pattern.slice(0, 10)).toBeLessThan(BOUND_MS);
      }
    },
  );

  it.each([
    ['*a'.repeat(1_000), 'a'.repeat(4_000)],
    [`${'**/'.repeat(1_300)}b`, 'a/'.repeat(2_000)],
    [`${'**/a/'.repeat(800)}b`, 'a/'.repeat(2_000)],
    ['[a-z]*'.repeat(600), 'a'.repeat(4_000)],
    ['?*'.repeat(2_000), 'a'.repeat(4_000)],
    ['['.repeat(4_000), '['.repeat(4_000)],
    [`[${'a-'.repeat(2_000)}]`, 'b'],
    ['\\'.repeat(4_000), 'b'],
    ['../'.repeat(1_300), '../'.repeat(1_300)],
    ['/'.repeat(4_000), '/'.repeat(4_000)],
  ])('IF-18 the path pattern %.12s takes milliseconds', (pattern, path) => {
    const started = processorMs();
    expect(judge(`Read(${pattern})`, 'Read', { file_path: path })).toHaveLength(3);
    expect(processorMs() - started).toBeLessThan(BOUND_MS);
  });

  const odd = fc.oneof(
    fc.jsonValue(),
    fc.record({
      command: fc.jsonValue(),
      file_path: fc.jsonValue(),
      url: fc.jsonValue(),
      path: fc.jsonValue(),
    }),
    fc.record({ command: fc.string(), file_path: fc.string(), url: fc.webUrl(), subagent_type: fc.string() }),
  );
  const tool = fc.oneof(
    fc.constantFrom('Bash', 'Read', 'Edit', 'Grep', 'WebFetch', 'Agent', 'Skill', 'mcp__a__b'),
    fc.string(),
  );

  it('IF-18 a rule is refused as one or judges every input; nothing else is ever thrown', () => {
    fc.assert(
      fc.property(tool, fc.string(), odd, (name, specifier, input) => {
        try {
          compileRule(`${name}(${specifier})`);
        } catch (error) {
          expect(error).toMatchObject({ name: 'HookError', code: 'invalid_option' });
          return;
        }
        const [matches, covers, applies] = judge(`${name}(${specifier})`, name, input);
        expect(typeof applies).toBe('boolean');
        if (covers) expect(matches).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('IF-18 prototypes are out of reach', () => {
    expect(judge('Agent(constructor:*)', 'Agent', {})).toEqual([false, false, false]);
    expect(judge('constructor', 'Bash', {})).toEqual([false, false, false]);
    expect(judge('__proto__(a:b)', '__proto__', { a: 'b' })).toEqual([true, false, true]);
  });
});
