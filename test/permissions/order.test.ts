import { describe, expect, it } from 'vitest';
import type { PermissionMode, PermissionOptions } from '../../src/permissions/permissions.js';
import { bash, type CallOptions, makeWorkspace, read, short, write } from './workspace.js';

const { root, permissions, elsewhere } = makeWorkspace();

const ALLOWED_BY_HOOK: CallOptions = { hook: { decision: 'allow' } };
const ASKED_BY_HOOK: CallOptions = { hook: { decision: 'ask', reason: 'Ask Ada first.' } };
const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'];

const touch = (options: PermissionOptions, call: CallOptions = {}): string =>
  short(permissions(options).decide(bash(root, 'touch made.txt', call)));

describe('the order in which rules, mode and hooks count', () => {
  it.each(MODES)('PM-1: a deny rule denies in the mode %s, over a hook and a rule that allow', (mode) => {
    const rules = { mode, deny: ['Bash(touch *)'], allow: ['Bash'], ask: ['Bash'] };
    expect(touch(rules, ALLOWED_BY_HOOK)).toBe('deny rule');
    expect(touch(rules, ASKED_BY_HOOK)).toBe('deny rule');
  });

  it('PM-1: some part of a call is enough to deny it', () => {
    const strict = permissions({ deny: ['Bash(rm *)'], mode: 'bypassPermissions' });
    for (const line of ['ls && rm -rf x', 'echo $(rm x)', 'timeout 5 rm x', "r'm' x", 'ls\nrm x'])
      expect(short(strict.decide(bash(root, line))), line).toBe('deny rule');
  });

  it('PM-2: plan denies what may change something, even if something else allows or asks', () => {
    const rules = { mode: 'plan', allow: ['Bash', 'Write', 'mcp__a__b'] } as const;
    expect(touch(rules, ALLOWED_BY_HOOK)).toBe('deny mode');
    expect(touch({ ...rules, ask: ['Bash'] }, ASKED_BY_HOOK)).toBe('deny mode');
    const plan = permissions(rules);
    expect(short(plan.decide(write(root, 'a.txt', ALLOWED_BY_HOOK)))).toBe('deny mode');
    expect(short(plan.decide({ toolName: 'mcp__a__b', input: {}, readOnly: false, cwd: root }))).toBe(
      'deny mode',
    );
    expect(plan.decide(write(root, 'a.txt')).reason).toContain('plan');
  });

  it('PM-2: in plan reading goes on, and so does what the agent keeps for itself', () => {
    const plan = permissions({ mode: 'plan' });
    expect(short(plan.decide(bash(root, 'ls && cat a.txt')))).toBe('allow tool');
    expect(short(plan.decide(read(root, 'a.txt')))).toBe('allow tool');
    expect(short(plan.decide(bash(root, `cat ${elsewhere}/secret`)))).toBe('ask default');
    const note = { toolName: 'TaskCreate', input: {}, readOnly: false, harmless: true, cwd: root };
    expect(short(plan.decide(note))).toBe('allow tool');
  });

  it('PM-2: a line whose command is missing counts as one that changes something', () => {
    expect(short(permissions({ mode: 'plan', allow: ['Bash'] }).decide(bash(root, undefined)))).toBe(
      'deny mode',
    );
  });

  it('PM-3: an ask rule asks over a hook and a rule that allow, and in bypassPermissions', () => {
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const)
      expect(touch({ mode, ask: ['Bash(touch:*)'], allow: ['Bash'] }, ALLOWED_BY_HOOK), mode).toBe(
        'ask rule',
      );
  });

  it('PM-4: a hook that asks counts with an allow rule and in bypassPermissions, with its reason', () => {
    for (const mode of ['default', 'bypassPermissions'] as const) {
      const verdict = permissions({ mode, allow: ['Bash'] }).decide(bash(root, 'ls', ASKED_BY_HOOK));
      expect(verdict).toEqual({ behavior: 'ask', by: 'hook', reason: 'Ask Ada first.' });
    }
    expect(permissions().decide(bash(root, 'ls', { hook: { decision: 'ask' } })).reason).toContain('hook');
  });

  it('PM-5: bypassPermissions allows the rest', () => {
    expect(touch({ mode: 'bypassPermissions' })).toBe('allow mode');
    const bypass = permissions({ mode: 'bypassPermissions' });
    expect(short(bypass.decide(write(root, '.git/hooks/pre-commit')))).toBe('allow mode');
    expect(short(bypass.decide(bash(root, 'case x in x) rm -rf build;; esac')))).toBe('allow mode');
  });

  it('PM-6: a hook allows the rest, with its reason', () => {
    expect(touch({}, ALLOWED_BY_HOOK)).toBe('allow hook');
    const because = { hook: { decision: 'allow', reason: 'It is Tuesday.' } } as const;
    expect(permissions().decide(bash(root, 'make', because)).reason).toBe('It is Tuesday.');
    expect(short(permissions({ mode: 'dontAsk' }).decide(bash(root, 'make', because)))).toBe('allow hook');
  });

  it.each([
    [['Bash(touch *)'], 'touch made.txt', 'allow rule'],
    [['Bash'], 'touch made.txt', 'allow rule'],
    [['Bash(touch *)'], 'touch made.txt && make', 'ask default'],
    [['Bash(touch *)'], 'touch made.txt > b.txt', 'ask default'],
    [['Bash(touch *)'], 'touch $(make)', 'ask default'],
    [['Write'], 'touch made.txt', 'ask default'],
  ])('PM-7: with the rules %j the line %j is: %s', (allow, line, expected) => {
    expect(short(permissions({ allow }).decide(bash(root, line)))).toBe(expected);
  });

  it('PM-7: a rule for any name of a tool counts, to allow and to deny', () => {
    const call = { toolName: 'Agent', aliases: ['Task', 'Helper'], input: {}, readOnly: false, cwd: root };
    expect(short(permissions({ allow: ['Helper'] }).decide(call))).toBe('allow rule');
    expect(short(permissions({ deny: ['Task'] }).decide(call))).toBe('deny rule');
    expect(short(permissions({ allow: ['Other'] }).decide(call))).toBe('ask default');
    const shell = bash(root, 'rm x', { toolName: 'run_line', aliases: ['Bash'] });
    expect(short(permissions({ deny: ['Bash(rm *)'] }).decide(shell))).toBe('deny rule');
    expect(short(permissions().decide({ ...shell, input: { command: 'ls' } }))).toBe('allow tool');
  });

  it('PM-8: a tool that only keeps notes is allowed, unless a rule says otherwise', () => {
    const note = { toolName: 'TodoWrite', input: {}, readOnly: false, harmless: true, cwd: root };
    expect(short(permissions().decide(note))).toBe('allow tool');
    expect(short(permissions({ deny: ['TodoWrite'] }).decide(note))).toBe('deny rule');
    expect(short(permissions({ ask: ['TodoWrite'] }).decide(note))).toBe('ask rule');
  });

  it('PM-11: everything else is asked about, and the sentence says what is missing', () => {
    expect(permissions().decide(bash(root, 'touch made.txt'))).toEqual({
      behavior: 'ask',
      by: 'default',
      reason: 'Bash needs approval: no rule allows `touch`.',
    });
    expect(permissions().decide(bash(root, 'ls; npm  test')).reason).toContain('`npm`');
    expect(permissions().decide(bash(root, undefined)).reason).toContain('no command');
    expect(permissions().decide(bash(root, 'echo "')).reason).toContain('cannot be determined');
    expect(
      permissions().decide({ toolName: 'mcp__a__b', input: {}, readOnly: false, cwd: root }),
    ).toMatchObject({
      behavior: 'ask',
      reason: 'mcp__a__b needs approval: no rule allows it.',
    });
    expect(permissions().decide(write(root, 'a.txt')).reason).toContain(`${root}/a.txt`);
  });

  it('PM-12: dontAsk denies whatever would be asked about, and nothing else', () => {
    const mode = 'dontAsk';
    expect(touch({ mode })).toBe('deny mode');
    expect(touch({ mode, ask: ['Bash'], allow: ['Bash'] })).toBe('deny mode');
    expect(touch({ mode, allow: ['Bash'] }, ASKED_BY_HOOK)).toBe('deny mode');
    expect(touch({ mode, allow: ['Bash'] })).toBe('allow rule');
    expect(short(permissions({ mode }).decide(bash(root, 'ls')))).toBe('allow tool');
    const { reason } = permissions({ mode }).decide(bash(root, 'touch made.txt'));
    expect(reason).toContain('`touch`');
    expect(reason).toContain('dontAsk');
  });

  it('PM-13: a verdict names the rule as it is written', () => {
    const rules = {
      allow: ['Bash(touch:*)'],
      ask: [' Bash( make * ) '],
      deny: ['Bash(rm *)'],
      mode: 'default',
    } as const;
    const some = permissions(rules);
    expect(some.decide(bash(root, 'touch x')).rule).toBe('Bash(touch:*)');
    expect(some.decide(bash(root, 'make it')).rule).toBe(' Bash( make * ) ');
    expect(some.decide(bash(root, 'rm x'))).toMatchObject({
      rule: 'Bash(rm *)',
      reason: expect.stringContaining('`Bash(rm *)`'),
    });
    expect(permissions({ ...rules, mode: 'dontAsk' }).decide(bash(root, 'make it')).rule).toBe(
      ' Bash( make * ) ',
    );
    expect(some.decide(bash(root, 'ls'))).not.toHaveProperty('rule');
  });
});
