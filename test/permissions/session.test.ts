import { describe, expect, it } from 'vitest';
import type { PermissionOptions, PermissionUpdate } from '../../src/permissions/permissions.js';
import { PERMISSION_MODES, Permissions } from '../../src/permissions/permissions.js';
import { bash, makeWorkspace, read, short, write } from './workspace.js';

const { root, elsewhere, home, permissions } = makeWorkspace();

type RuleUpdate = Extract<PermissionUpdate, { rules: unknown }>;

const change = (
  type: RuleUpdate['type'],
  ruleContent: string,
  { behavior = 'allow', destination = 'session' }: Partial<RuleUpdate> = {},
): PermissionUpdate => ({ type, rules: [{ toolName: 'Bash', ruleContent }], behavior, destination });
const setMode = (mode: Extract<PermissionUpdate, { mode: unknown }>['mode']): PermissionUpdate => ({
  type: 'setMode',
  mode,
  destination: 'session',
});
const make = bash(root, 'make all');
const edit = write(root, 'a.txt');

describe('options', () => {
  it.each([
    [{ mode: 'yolo' }, 'yolo'],
    [{ mode: 'delegate' }, 'delegate'],
    [{ allow: ['Bash(ls'] }, 'Bash(ls'],
    [{ deny: [''] }, 'names no tool'],
    [{ ask: [7] }, 'not a string'],
    [{ allow: ['*'] }, '"*"'],
    [{ allow: ['mcp__*'] }, 'mcp__*'],
    [{ allow: 'Bash' }, 'Bash'],
    [{ additionalDirectories: '/x' }, '/x'],
    [{ additionalDirectories: [7] }, '7'],
    [{ additionalDirectories: ['a\0b'] }, 'path'],
    [{ root: '' }, 'root'],
    [{ home: 7 }, 'home'],
  ])('PM-28: %j is refused, naming %s', (options, named) => {
    expect(() => new Permissions(options as PermissionOptions)).toThrow(
      expect.objectContaining({
        name: 'HookError',
        code: 'invalid_option',
        message: expect.stringContaining(named),
      }),
    );
  });

  it('PM-28: a star in a name can deny and ask, and allow the tools of one server', () => {
    expect(() => permissions({ deny: ['*'], ask: ['mcp__*'], allow: ['mcp__files__*'] })).not.toThrow();
  });

  it.each(PERMISSION_MODES)('PM-28: %s is a mode', (mode) => {
    expect(permissions({ mode }).mode).toBe(mode);
  });

  it('PM-14: without options the root is the directory of this process', () => {
    expect(new Permissions().directories).toEqual([process.cwd()]);
    expect(new Permissions().mode).toBe('default');
  });
});

describe('tools that are not offered', () => {
  it.each([
    [['Bash'], 'Bash', [], true],
    [['Bash(*)'], 'Bash', [], true],
    [['Bash(rm *)'], 'Bash', [], false],
    [['Task'], 'Agent', [], true],
    [['Helper'], 'Agent', ['Helper'], true],
    [['mcp__files'], 'mcp__files__read', [], true],
    [['mcp__*'], 'mcp__files__read', [], true],
    [['Read'], 'Bash', [], false],
  ])('PM-29: with %j denied, %s %j is hidden: %s', (deny, tool, aliases, expected) => {
    expect(permissions({ deny }).hides(tool, aliases)).toBe(expected);
  });

  it('PM-29: rules that ask or allow hide nothing', () => {
    expect(permissions({ ask: ['Bash'], allow: ['Bash'] }).hides('Bash')).toBe(false);
  });
});

describe('what a person could agree to', () => {
  it.each([
    ['a command', make, [change('addRules', 'make all', { destination: 'localSettings' })]],
    ['a simple edit by a command', bash(root, 'touch made.txt'), [setMode('acceptEdits')]],
    ['an edit', edit, [setMode('acceptEdits')]],
    [
      'an edit outside',
      write(root, `${elsewhere}/x`),
      [{ type: 'addDirectories', directories: [elsewhere], destination: 'session' }, setMode('acceptEdits')],
    ],
    [
      'a file outside',
      read(root, `${elsewhere}/secret`),
      [
        {
          type: 'addRules',
          rules: [{ toolName: 'Read', ruleContent: `/${elsewhere}/**` }],
          behavior: 'allow',
          destination: 'session',
        },
      ],
    ],
    [
      'any tool',
      { toolName: 'mcp__a__b', input: {}, readOnly: false, cwd: root },
      [
        {
          type: 'addRules',
          rules: [{ toolName: 'mcp__a__b' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
    ],
    [
      'a page',
      { toolName: 'WebFetch', input: { url: 'https://example.com/x' }, readOnly: false, cwd: root },
      [
        {
          type: 'addRules',
          rules: [{ toolName: 'WebFetch', ruleContent: 'domain:example.com' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
    ],
  ])('PM-30: %s', (_, call, expected) => {
    expect(permissions().suggest(call)).toEqual(expected);
  });

  it.each([
    make,
    edit,
    bash(root, 'cd src && make all 2>&1 | tail -5'),
    bash(root, 'make all > log.txt'),
    bash(root, 'case x in x) make;; esac'),
    bash(root, 'find . | xargs make'),
    bash(root, 'timeout 5 make all && make more'),
    bash(root, "cat <<'E' | make\n  two  words\nE"),
    bash(root, 'cat /etc/passwd'),
    bash(root, 'for i in 1 2; do make $i; done'),
    write(root, '.git/config'),
    write(root, '.claude/[x] y?.json'),
    write(root, 'out/x'),
    read(root, 'out/secret'),
    read(root, '/rare'),
    { toolName: 'Glob', input: { pattern: '/usr/share/*' }, readOnly: true, cwd: root },
    { toolName: 'look', input: { path: elsewhere }, readOnly: true, cwd: root },
    { toolName: 'WebFetch', input: { url: 'no address' }, readOnly: false, cwd: root },
  ])('PM-30: when it is applied, the call is allowed: $toolName $input', (call) => {
    const some = permissions();
    const updates = some.suggest(call);
    expect(updates).not.toEqual([]);
    expect(some.decide(call).behavior).toBe('ask');
    some.apply(updates);
    expect(some.decide(call).behavior).toBe('allow');
  });

  it('PM-30: nothing where agreeing would not help, or no one is asked', () => {
    const ask = { hook: { decision: 'ask' } } as const;
    expect(permissions({ allow: ['Bash'] }).suggest({ ...make, ...ask })).toEqual([]);
    expect(permissions({ ask: ['Bash'] }).suggest(make)).toEqual([]);
    expect(permissions({ allow: ['Bash'] }).suggest(make)).toEqual([]);
    expect(permissions({ mode: 'plan' }).suggest(make)).toEqual([]);
    expect(permissions().suggest(bash(root, undefined))).toEqual([]);
    expect(permissions().suggest(write(root, 7))).toEqual([]);
    expect(permissions().suggest(read(root, 'round'))).toEqual([]);
  });

  it('PM-30: a star of a command does not become a star of a rule', () => {
    expect(permissions().suggest(bash(root, 'make *.o'))).toEqual([]);
    expect(permissions().suggest(bash(root, 'make all; make *.o'))).toEqual([]);
  });

  it('PM-30: what holds too much is not suggested as a directory', () => {
    const [update] = permissions().suggest(read(root, `${home}/notes.txt`));
    expect(update).toMatchObject({ rules: [{ toolName: 'Read', ruleContent: `/${home}/notes.txt` }] });
  });
});

describe('approved updates', () => {
  it.each(['userSettings', 'projectSettings', 'localSettings', 'session', 'cliArg'] as const)(
    'PM-31: a rule for %s counts for the session',
    (destination) => {
      const some = permissions();
      some.apply([change('addRules', 'make *', { destination })]);
      expect(some.decide(make)).toMatchObject({ behavior: 'allow', rule: 'Bash(make *)' });
      some.apply([change('addRules', 'make *', { destination, behavior: 'deny' })]);
      expect(some.decide(make).behavior).toBe('deny');
    },
  );

  it('PM-31: a rule is removed wherever it came from, and only under its behaviour', () => {
    const some = permissions({ allow: ['Bash(make *)'], ask: ['Bash(make all)'] });
    some.apply([change('removeRules', 'make all')]);
    expect(short(some.decide(make))).toBe('ask rule');
    some.apply([change('removeRules', 'make all', { behavior: 'ask' })]);
    expect(short(some.decide(make))).toBe('allow rule');
    some.apply([change('removeRules', 'make *', { destination: 'userSettings' })]);
    expect(short(some.decide(make))).toBe('ask default');
  });

  it('PM-31: replacing takes away what updates put at the same destination, not what was there at the beginning', () => {
    const some = permissions({ deny: ['Bash(rm *)'] });
    some.apply([
      change('addRules', 'make *'),
      change('addRules', 'true-ish', { destination: 'userSettings' }),
      change('addRules', 'rm *', { behavior: 'deny' }),
      change('replaceRules', 'npm test'),
      change('replaceRules', 'dd *', { behavior: 'deny' }),
    ]);
    expect(short(some.decide(make))).toBe('ask default');
    expect(short(some.decide(bash(root, 'npm test')))).toBe('allow rule');
    expect(short(some.decide(bash(root, 'true-ish')))).toBe('allow rule');
    expect(short(some.decide(bash(root, 'rm x')))).toBe('deny rule');
    expect(short(some.decide(bash(root, 'dd x')))).toBe('deny rule');
  });

  it('PM-31: directories come and go, but the root stays', () => {
    const some = permissions();
    const secret = read(root, `${elsewhere}/secret`);
    some.apply([
      { type: 'addDirectories', directories: ['../elsewhere', elsewhere], destination: 'session' },
    ]);
    expect(some.directories).toEqual([root, elsewhere]);
    expect(some.decide(secret).behavior).toBe('allow');
    some.apply([{ type: 'removeDirectories', directories: [elsewhere, root], destination: 'session' }]);
    expect(some.directories).toEqual([root]);
    expect(some.decide(secret).behavior).toBe('ask');
  });

  it('PM-31: all updates or none', () => {
    const some = permissions();
    for (const bad of [change('addRules', ''), setMode('delegate')]) {
      expect(() => some.apply([change('addRules', 'make *'), setMode('acceptEdits'), bad])).toThrow(
        expect.objectContaining({ code: 'invalid_option' }),
      );
      expect(some.mode).toBe('default');
      expect(short(some.decide(make))).toBe('ask default');
    }
  });

  it('PM-31: deciding and suggesting change nothing', () => {
    const some = permissions();
    const first = [some.decide(make), some.suggest(make), some.decide(edit)];
    expect([some.decide(make), some.suggest(make), some.decide(edit)]).toEqual(first);
    expect(some.mode).toBe('default');
  });
});

describe('subagents', () => {
  it('PM-32: an update that is approved anywhere counts everywhere, at once', () => {
    const session = permissions();
    const agent = session.fork();
    const inner = agent.fork();
    session.apply([setMode('acceptEdits')]);
    expect(short(inner.decide(edit))).toBe('allow mode');
    inner.apply([
      change('addRules', 'make *'),
      { type: 'addDirectories', directories: [elsewhere], destination: 'session' },
    ]);
    for (const each of [session, agent, inner]) {
      expect(short(each.decide(make))).toBe('allow rule');
      expect(each.directories).toEqual([root, elsewhere]);
    }
    session.apply([change('addRules', 'make *', { behavior: 'deny' })]);
    expect(short(inner.decide(make))).toBe('deny rule');
    expect(inner.hides('Bash')).toBe(false);
  });

  it.each([
    ['default', 'plan', 'plan'],
    ['default', 'acceptEdits', 'default'],
    ['bypassPermissions', 'default', 'default'],
    ['acceptEdits', 'dontAsk', 'dontAsk'],
    ['plan', 'bypassPermissions', 'plan'],
    ['dontAsk', 'default', 'dontAsk'],
    ['acceptEdits', undefined, 'acceptEdits'],
  ] as const)('PM-32: in a session of mode %s an agent of mode %s is in %s', (mode, own, expected) => {
    const session = permissions({ mode });
    expect(session.fork({ mode: own }).mode).toBe(expected);
    expect(session.fork({ mode: own }).fork().mode).toBe(expected);
    expect(session.mode).toBe(mode);
  });

  it('PM-32: a narrower mode stays when the session gets wider, and not when it is approved for the agent itself', () => {
    const session = permissions();
    const planner = session.fork({ mode: 'plan' });
    const worker = session.fork({ mode: 'default' });
    session.apply([setMode('bypassPermissions')]);
    expect([session.mode, planner.mode, worker.mode]).toEqual(['bypassPermissions', 'plan', 'default']);
    worker.apply([setMode('acceptEdits')]);
    expect([session.mode, planner.mode, worker.mode]).toEqual(['acceptEdits', 'plan', 'acceptEdits']);
    expect(() => session.fork({ mode: 'wide' as 'plan' })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    );
  });
});
