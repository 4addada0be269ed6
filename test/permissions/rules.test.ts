import { describe, expect, it } from 'vitest';
import vectors from '../../spec/vectors/permission-rules.json' with { type: 'json' };
import { compileCondition, compileRule, ruleCoversAll, ruleMatches } from '../../src/permissions/rule.js';

interface Vector {
  readonly rule: string;
  readonly permission: string;
  readonly tool?: string;
  readonly input?: unknown;
  readonly matches?: boolean;
  readonly covers?: boolean;
  readonly applies?: boolean;
  readonly refused?: string;
}

const all = vectors as readonly Vector[];
const PLACES = { cwd: '/home/ada/app/app', home: '/home/ada', root: '/home/ada/app' };
const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 70 ? `${text.slice(0, 67)}...` : text;
};

describe('permission rules', () => {
  it.each(
    all
      .filter(({ refused }) => refused === undefined)
      .map(
        (vector) =>
          [`${vector.rule} ${vector.permission} and ${vector.tool} ${short(vector.input)}`, vector] as const,
      ),
  )('%s', (_, { permission, tool = '', input, matches, covers, applies }) => {
    const rule = compileRule(permission);
    const condition = compileCondition(permission, { home: PLACES.home, root: PLACES.root });
    expect({
      matches: ruleMatches(rule, tool, input, PLACES),
      covers: ruleCoversAll(rule, tool, input, PLACES),
      applies: condition({ tool_name: tool, tool_input: input, cwd: PLACES.cwd }),
    }).toEqual({ matches, covers, applies });
  });

  it.each(all.flatMap(({ permission, refused }) => (refused ? [[permission, refused] as const] : [])))(
    'IF-1 %j is refused with a sentence that helps',
    (permission, refused) => {
      const refusal = expect.objectContaining({
        name: 'HookError',
        code: 'invalid_option',
        message: expect.stringContaining(refused),
      });
      expect(() => compileRule(permission)).toThrow(refusal);
      expect(() => compileCondition(permission)).toThrow(refusal);
    },
  );

  it.each([[undefined], [7], [null], [['Bash']], [`Bash(${'x'.repeat(5_000)})`]])(
    'IF-1 %.20s is no rule',
    (text) => {
      expect(() => compileRule(text as string)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    },
  );

  it('IF-1 a rule remembers what it says', () => {
    expect(compileRule(' Bash( git * ) ')).toMatchObject({
      text: ' Bash( git * ) ',
      tool: 'Bash',
      specifier: 'git *',
    });
    expect(compileRule('Bash(*)').specifier).toBeUndefined();
  });

  it('IF-3 whatever a rule covers, it also matches', () => {
    expect(all.filter(({ covers, matches }) => covers === true && matches !== true)).toEqual([]);
  });
});

describe('where paths start', () => {
  const edit = (rule: string, file_path: string, places: { cwd: string; home?: string; root?: string }) =>
    ruleMatches(compileRule(rule), 'Edit', { file_path }, places);

  it('IF-11 one leading slash is the place of the rule, and without one the directory', () => {
    expect(
      edit('Edit(/docs/**)', '/home/ada/app/docs/a', { cwd: '/home/ada/app/app', root: '/home/ada/app' }),
    ).toBe(true);
    expect(edit('Edit(/docs/**)', '/home/ada/app/app/docs/a', { cwd: '/home/ada/app/app' })).toBe(true);
    expect(edit('Edit(/docs/**)', '/home/ada/app/docs/a', { cwd: '/home/ada/app/app' })).toBe(false);
  });

  it('IF-11 without a home nothing is under it', () => {
    expect(edit('Edit(~/**)', '/home/ada/x', { cwd: '/' })).toBe(false);
    expect(edit('Edit(~/**)', '/home/ada/x', { cwd: '/', home: '/home/ada' })).toBe(true);
  });

  it('IF-11 a directory at the root of the file system is no special case', () => {
    expect(edit('Edit(etc/**)', '/etc/passwd', { cwd: '/' })).toBe(true);
    expect(edit('Edit(../../../x)', '/x', { cwd: '/a' })).toBe(true);
  });
});

describe('the condition of a hook', () => {
  it('IF-17 is never met on an event without a tool', () => {
    for (const text of ['Bash', '*', 'Bash(*)', 'Bash(git *)']) {
      const condition = compileCondition(text);
      expect(condition({ hook_event_name: 'Stop', cwd: '/' })).toBe(false);
      expect(condition({ tool_name: 7, tool_input: {}, cwd: '/' })).toBe(false);
      expect(condition({})).toBe(false);
    }
  });

  it('IF-17 is about the directory of the input, and the home of the user', () => {
    const condition = compileCondition('Edit(src/**)');
    const input = { tool_name: 'Edit', tool_input: { file_path: '/a/src/x' } };
    expect(condition({ ...input, cwd: '/a' })).toBe(true);
    expect(condition({ ...input, cwd: '/b' })).toBe(false);
    const home = compileCondition('Read(~/x)');
    expect(home({ tool_name: 'Read', tool_input: { file_path: '~/x' }, cwd: '/a' })).toBe(true);
  });

  it('IF-17 means one tool: the others that edit or read files have their own', () => {
    const condition = compileCondition('Edit(*.ts)');
    const input = { tool_input: { file_path: '/a/x.ts' }, cwd: '/a' };
    expect(condition({ ...input, tool_name: 'Edit' })).toBe(true);
    expect(condition({ ...input, tool_name: 'Write' })).toBe(false);
  });
});
