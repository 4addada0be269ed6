import { describe, expect, it } from 'vitest';
import type { PermissionCall, PermissionOptions } from '../../src/permissions/permissions.js';
import { compileCondition } from '../../src/permissions/rule.js';
import { bash, makeWorkspace, read, short, write } from './workspace.js';

const { base, root, elsewhere, home, permissions } = makeWorkspace();

const reading = (path: unknown, cwd = root): string => short(permissions().decide(read(cwd, path)));
const search = (toolName: string, input: object, cwd = root): string =>
  short(permissions().decide({ toolName, input, readOnly: true, cwd }));
const accepting = permissions({ mode: 'acceptEdits' });
const editing = (path: unknown, cwd = root): string => short(accepting.decide(write(cwd, path)));

describe('reading', () => {
  it.each([
    ['a.txt', 'allow tool'],
    ['src/main.ts', 'allow tool'],
    ['not/there/yet', 'allow tool'],
    [`${root}/a.txt`, 'allow tool'],
    [root, 'allow tool'],
    ['..', 'ask default'],
    ['../elsewhere/secret', 'ask default'],
    ['/etc/passwd', 'ask default'],
    [`${root}-other/x`, 'ask default'],
    ['~/notes', 'ask default'],
    ['~root/notes', 'ask default'],
    [7, 'ask default'],
    [undefined, 'ask default'],
    ['a\0b', 'ask default'],
  ])('PM-9: of %j is: %s', (path, expected) => {
    expect(reading(path)).toBe(expected);
  });

  it.each([
    ['Grep', { pattern: 'x' }, 'allow tool'],
    ['Grep', { pattern: '/etc', path: 'src' }, 'allow tool'],
    ['Grep', { pattern: 'x', path: '/etc' }, 'ask default'],
    ['Glob', { pattern: '**/*.ts' }, 'allow tool'],
    ['Glob', { pattern: 'src/*.ts', path: '.' }, 'allow tool'],
    ['Glob', { pattern: '/etc/*' }, 'ask default'],
    ['Glob', { pattern: '/etc/passwd' }, 'ask default'],
    ['Glob', { pattern: '/*', path: 'src' }, 'ask default'],
    ['Glob', { pattern: '../elsewhere/*' }, 'ask default'],
    ['Glob', { pattern: '*/../../elsewhere/*' }, 'ask default'],
    ['Glob', { pattern: 'out/*' }, 'ask default'],
    ['Glob', { pattern: 7 }, 'ask default'],
    ['TaskList', {}, 'allow tool'],
    ['TaskList', null, 'allow tool'],
    ['look', { path: '/etc/passwd' }, 'ask default'],
    ['look', { path: 'a.txt' }, 'allow tool'],
    ['look', { files: ['a.txt', '../x'] }, 'ask default'],
    ['look', { files: ['a.txt', { name: '/etc' }] }, 'ask default'],
    ['look', { query: '/etc/passwd' }, 'allow tool'],
  ])('PM-9: %s with %j is: %s', (tool, input, expected) => {
    expect(search(tool, input as object)).toBe(expected);
  });

  it('PM-9: the sentence says where the path leads', () => {
    const { reason } = permissions().decide(read(root, 'out/secret'));
    expect(reason).toContain(`${root}/out/secret`);
    expect(reason).toContain(`${elsewhere}/secret`);
    expect(reason).toContain('outside the working directories');
  });

  it('PM-14: the working directories are the root and the additional ones, wherever the agent has gone', () => {
    expect(reading('secret', elsewhere)).toBe('ask default');
    expect(reading(`${root}/a.txt`, elsewhere)).toBe('allow tool');
    const more = permissions({ additionalDirectories: ['../elsewhere', '~/notes'] });
    expect(more.directories).toEqual([root, elsewhere, `${home}/notes`]);
    expect(short(more.decide(read(root, '../elsewhere/secret')))).toBe('allow tool');
    expect(short(more.decide(read(root, '~/notes/x')))).toBe('allow tool');
    expect(short(more.decide(read(root, '~/other')))).toBe('ask default');
  });
});

describe('links', () => {
  it.each([
    ['out/secret', 'a link to a directory outside'],
    ['dangling', 'a link to what does not exist yet'],
    ['round', 'a link to itself'],
  ])('PM-15: %s, %s, is outside', (path) => {
    expect(reading(path)).toBe('ask default');
    expect(editing(path)).toBe('ask default');
    expect(short(accepting.decide(bash(root, `cat ${path}`)))).toBe('ask default');
    expect(short(accepting.decide(bash(root, `touch ${path}`)))).toBe('ask default');
  });

  it('PM-15: what depends on who follows it is outside, also where it would lead inside', () => {
    const here = permissions({ root: process.cwd() });
    expect(short(here.decide(read(process.cwd(), 'package.json')))).toBe('allow tool');
    expect(short(here.decide(read(process.cwd(), '/proc/self/cwd/package.json')))).toBe('ask default');
    expect(short(here.decide(bash(process.cwd(), 'cat /proc/self/cwd/package.json')))).toBe('ask default');
  });

  it('PM-15: for a program, the parent of a link is the parent of where it leads', () => {
    expect(short(permissions().decide(bash(root, 'cat out/../project/a.txt')))).toBe('allow tool');
    expect(short(permissions().decide(bash(root, 'cat out/../a.txt')))).toBe('ask default');
    expect(reading('out/../a.txt')).toBe('allow tool');
  });

  it('PM-15: a root that is reached over a link is the same root', () => {
    const linked = permissions({
      root: `${base}/link`,
      mode: 'acceptEdits',
      allow: ['Bash(make)', 'Read(/docs/**)'],
    });
    for (const cwd of [root, `${base}/link`])
      for (const path of ['a.txt', `${root}/a.txt`, `${base}/link/a.txt`]) {
        expect(short(linked.decide(read(cwd, path))), path).toBe('allow tool');
        expect(short(linked.decide(write(cwd, path))), path).toBe('allow mode');
      }
    expect(short(linked.decide(read(`${base}/link`, 'out/secret')))).toBe('ask default');
  });
});

describe('a path that cannot be determined', () => {
  const paths = [
    `/proc/self/root${root}/.env`,
    `/proc/${process.pid}/root${root}/.env`,
    `/proc/thread-self/root/../root${root}/.env`,
    '/proc/self/cwd/.env',
    `/proc/${process.pid}/cwd/.env`,
    `/proc/${process.pid}/task/${process.pid}/cwd/.env`,
    '/proc/self/fd/0',
    '/dev/fd/0',
    '/dev/stdin',
    'round/.env',
  ];

  it.each(paths)('PM-38: %s is denied by every rule about paths that denies', (path) => {
    for (const mode of ['default', 'bypassPermissions'] as const) {
      const rules = permissions({ deny: ['Read(./.env)'], allow: ['Read', 'Bash'], mode });
      const verdict = rules.decide(read(root, path));
      expect(short(verdict)).toBe('deny rule');
      expect(verdict.reason).toMatch(/cannot be determined/);
      expect(short(rules.decide({ toolName: 'Grep', input: { path }, readOnly: true, cwd: root }))).toBe(
        'deny rule',
      );
    }
    expect(
      short(permissions({ deny: ['Edit(./.env)'], mode: 'bypassPermissions' }).decide(write(root, path))),
    ).toBe('deny rule');
  });

  it.each(paths)(
    'PM-38: %s is asked about by every rule about paths that asks, and allowed by none',
    (path) => {
      const asking = permissions({ ask: ['Read(./.env)'], mode: 'bypassPermissions' });
      expect(short(asking.decide(read(root, path)))).toBe('ask rule');
      expect(short(permissions({ allow: ['Read(//**)'] }).decide(read(root, path)))).toBe('ask default');
      expect(short(permissions({ allow: ['Read'] }).decide(read(root, path)))).toBe('allow rule');
      expect(short(permissions({ deny: ['Edit(./.env)'], allow: ['Read'] }).decide(read(root, path)))).toBe(
        'allow rule',
      );
    },
  );

  it('PM-38: a shell line that names such a path is denied too, its own streams are not', () => {
    const rules = permissions({ deny: ['Read(./.env)', 'Edit(./.env)'], mode: 'bypassPermissions' });
    const decide = (line: string): string => short(rules.decide(bash(root, line)));
    expect(decide(`cat /proc/self/root${root}/.env`)).toBe('deny rule');
    expect(decide(`cat < /proc/self/cwd/.env`)).toBe('deny rule');
    expect(decide(`echo x > /proc/self/cwd/.env`)).toBe('deny rule');
    for (const line of [
      'cat a.txt | cat /dev/stdin',
      'echo x > /dev/stderr',
      'cat a.txt | tee /dev/stdout',
      'cat a.txt 2> /dev/null',
      'cat /proc/cpuinfo',
    ])
      expect(decide(line), line).toBe('allow mode');
  });

  it('PM-15: what /proc tells of processes is outside, also where everything is inside', () => {
    const everywhere = permissions({ root: '/' });
    expect(short(everywhere.decide(read('/', '/etc/passwd')))).toBe('allow tool');
    expect(short(everywhere.decide(read('/', `/proc/${process.pid}/environ`)))).toBe('ask default');
    expect(short(everywhere.decide(bash('/', `cat /proc/${process.pid}/environ`)))).toBe('ask default');
  });

  it('PM-38: the condition of a hook counts as met', () => {
    const condition = compileCondition('Read(./.env)', { cwd: root });
    const meets = (file_path: string): boolean =>
      condition({ tool_name: 'Read', tool_input: { file_path }, cwd: root });
    expect(meets(`/proc/self/root${root}/.env`)).toBe(true);
    expect(meets('/dev/fd/3')).toBe(true);
    expect(meets(`${root}/a.txt`)).toBe(false);
  });
});

describe('the paths that a tool declares', () => {
  const decide = (options: PermissionOptions, input: object, readOnly: boolean): string =>
    short(
      permissions(options).decide({ toolName: 'copy', input, paths: ['from', 'to'], readOnly, cwd: root }),
    );

  it('PM-9: are where a tool that only reads is, whatever they are called', () => {
    expect(decide({}, { from: 'a.txt', path: '/etc' }, true)).toBe('allow tool');
    expect(decide({}, { from: '/etc/passwd' }, true)).toBe('ask default');
    expect(decide({}, { to: ['a.txt', '/etc/passwd'] }, true)).toBe('ask default');
  });

  it('PM-40: are what rules about reading deny, and for a tool that changes something those about editing', () => {
    const mode = 'bypassPermissions';
    const reading = { mode, deny: ['Read(.env)'] } as const;
    const editing = { mode, deny: ['Edit(src/**)'], ask: ['Edit(docs/**)'] } as const;
    expect(decide(reading, { from: '.env' }, true)).toBe('deny rule');
    expect(decide(reading, { from: 'a.txt', to: ['b.txt', './.env'] }, false)).toBe('deny rule');
    expect(decide(editing, { from: 'src/main.ts' }, true)).toBe('allow mode');
    expect(decide(editing, { from: 'a.txt', to: 'src/main.ts' }, false)).toBe('deny rule');
    expect(decide(editing, { from: 'a.txt', to: 'docs/x' }, false)).toBe('ask rule');
    expect(decide(editing, { from: 'a.txt', to: 'b.txt' }, false)).toBe('allow mode');
    expect(decide(editing, { from: 'a.txt', to: [{ name: 'src' }] }, false)).toBe('deny rule');
    expect(decide({ allow: ['Edit(src/**)'] }, { to: 'src/main.ts' }, false)).toBe('ask default');
  });
});

describe('the files that a search may show', () => {
  const search = { toolName: 'Grep', input: { pattern: 'x' }, readOnly: true, cwd: root };
  const shows = (options: PermissionOptions, path: string, call: PermissionCall = search): boolean =>
    permissions(options).readFilter(call)(path);

  it('PM-39: are all that no rule keeps from being read, links followed', () => {
    const options = { deny: ['Read(.env)', `Read(/${elsewhere}/**)`, 'Grep(docs/**)', 'Edit(src/**)'] };
    expect(shows(options, `${root}/a.txt`)).toBe(true);
    expect(shows(options, `${root}/src/main.ts`)).toBe(true);
    expect(shows(options, `${root}/.env`)).toBe(false);
    expect(shows(options, `${root}/deep/.env`)).toBe(false);
    expect(shows(options, `${root}/out/secret`)).toBe(false);
    expect(shows(options, `${root}/docs/x`)).toBe(false);
    expect(shows(options, `${root}/docs/x`, { ...search, toolName: 'Glob' })).toBe(true);
    expect(shows(options, `${root}/round`)).toBe(false);
    expect(shows({ deny: ['Read(./.env)'] }, `${root}/src/.env`)).toBe(true);
    expect(shows({ deny: ['Read(./.env)'] }, `${root}/src/.env`, { ...search, cwd: `${root}/src` })).toBe(
      false,
    );
    expect(shows({}, `${root}/round`)).toBe(true);
  });

  it('PM-39: what a rule asks about is shown only where the call itself was asked about', () => {
    const options = { ask: ['Read(docs/**)'] };
    expect(shows(options, `${root}/docs/x`)).toBe(false);
    expect(shows(options, `${root}/docs/x`, { ...search, input: { path: `${root}/docs` } })).toBe(true);
  });
});

describe('the paths in rules', () => {
  it('PM-16: start at the root, wherever the agent has gone', () => {
    const rules = permissions({ allow: ['Edit(src/**)', 'Edit(/docs/**)'] });
    expect(short(rules.decide(write(`${root}/src`, 'main.ts')))).toBe('allow rule');
    expect(short(rules.decide(write(`${root}/src/deep`, '../../docs/a')))).toBe('allow rule');
    expect(short(rules.decide(write(`${root}/docs`, 'src/a')))).toBe('allow rule');
    expect(short(permissions({ allow: ['Edit(src/**)'] }).decide(write(`${root}/docs`, 'src/a')))).toBe(
      'ask default',
    );
  });

  it('PM-16: going elsewhere is no way round a rule that denies', () => {
    const rules = permissions({ deny: ['Read(./.env)'], mode: 'bypassPermissions' });
    expect(short(rules.decide(read(root, '.env')))).toBe('deny rule');
    expect(short(rules.decide(read(`${root}/src`, '../.env')))).toBe('deny rule');
    expect(short(rules.decide(read(`${root}/src`, `${root}/.env`)))).toBe('deny rule');
  });

  it('PM-16: to deny, either what is written or where it leads is enough; to allow, both are needed', () => {
    const outside = `Read(/${elsewhere}/**)`;
    expect(short(permissions({ deny: [outside] }).decide(read(root, 'out/secret')))).toBe('deny rule');
    expect(short(permissions({ deny: ['Read(out/**)'] }).decide(read(root, 'out/secret')))).toBe('deny rule');
    expect(short(permissions({ allow: [outside] }).decide(read(root, 'out/secret')))).toBe('ask default');
    expect(short(permissions({ allow: ['Read(out/**)'] }).decide(read(root, 'out/secret')))).toBe(
      'ask default',
    );
    expect(short(permissions({ allow: [outside] }).decide(read(root, `${elsewhere}/secret`)))).toBe(
      'allow rule',
    );
    expect(short(permissions({ allow: ['Read(//**)'] }).decide(read(root, 'out/secret')))).toBe('allow rule');
    expect(short(permissions({ allow: ['Read'] }).decide(read(root, 'out/secret')))).toBe('allow rule');
  });

  it('PM-16: a root that is reached over a link can be written either way', () => {
    const rules = {
      root: `${base}/link`,
      allow: ['Edit(src/**)'],
      deny: ['Read(/docs/**)', `Read(/${root}/b.txt)`],
    };
    const linked = permissions(rules);
    for (const start of [root, `${base}/link`]) {
      expect(short(linked.decide(write(start, 'src/main.ts')))).toBe('allow rule');
      expect(short(linked.decide(write(root, `${start}/src/main.ts`)))).toBe('allow rule');
      expect(short(linked.decide(read(start, 'docs/a')))).toBe('deny rule');
      expect(short(linked.decide(read(start, 'b.txt')))).toBe('deny rule');
    }
  });
});

describe('editing', () => {
  it.each([
    ['a.txt', 'allow mode'],
    ['new/file.txt', 'allow mode'],
    ['.gitignore', 'allow mode'],
    ['../elsewhere/x', 'ask default'],
    ['/etc/hosts', 'ask default'],
    [7, 'ask default'],
  ])('PM-10: in acceptEdits, of %j is: %s', (path, expected) => {
    expect(editing(path)).toBe(expected);
    for (const toolName of ['Edit', 'MultiEdit'])
      expect(short(accepting.decide(write(root, path, { toolName }))), toolName).toBe(expected);
  });

  it('PM-10: a notebook has its path in a field of its own; other tools are no editors', () => {
    const notebook = {
      toolName: 'NotebookEdit',
      input: { notebook_path: 'a.ipynb' },
      readOnly: false,
      cwd: root,
    };
    expect(short(accepting.decide(notebook))).toBe('allow mode');
    expect(short(accepting.decide({ ...notebook, input: { notebook_path: '/etc/a.ipynb' } }))).toBe(
      'ask default',
    );
    expect(short(accepting.decide({ ...notebook, toolName: 'mcp__files__write' }))).toBe('ask default');
    expect(short(permissions().decide(notebook))).toBe('ask default');
    // A promise to change nothing does not make an editor a reader.
    expect(short(permissions().decide({ ...notebook, readOnly: true }))).toBe('ask default');
  });

  it.each([
    '.git/hooks/pre-commit',
    '.GIT/config',
    'src/.git/config',
    '.claude/settings.json',
    '.hookline/settings.json',
    'hookline.yaml',
    '.mcp.json',
    '.vscode/tasks.json',
    '.bashrc',
    'src/.zshrc',
    'repository/config',
  ])('PM-17: %s is protected', (path) => {
    expect(editing(path)).toBe('ask default');
    expect(short(permissions({ allow: ['Write', 'Edit(**)'] }).decide(write(root, path)))).toBe(
      'ask default',
    );
    expect(short(accepting.decide(bash(root, `touch ${path}`)))).toBe('ask default');
    expect(short(accepting.decide(bash(root, `cp a.txt ${path}`)))).toBe('ask default');
    expect(short(accepting.decide(bash(root, `mv a.txt ${path}`)))).toBe('ask default');
    expect(short(accepting.decide(write(root, path, { hook: { decision: 'allow' } })))).toBe('allow hook');
    expect(accepting.decide(write(root, path)).reason).toContain('protected');
  });

  it('PM-17: a rule that names what is protected allows it', () => {
    const rules = permissions({ allow: ['Edit(.claude/**)', 'Write(src/.bashrc)'] });
    expect(short(rules.decide(write(root, '.claude/settings.json')))).toBe('allow rule');
    expect(short(rules.decide(write(root, 'src/.bashrc')))).toBe('allow rule');
    expect(short(rules.decide(write(root, '.git/config')))).toBe('ask default');
    expect(short(permissions({ allow: ['Bash(cp *)'] }).decide(bash(root, 'cp a.txt .git/x')))).toBe(
      'allow rule',
    );
  });

  it('PM-17: a name in a file that is copied somewhere counts where it comes to lie', () => {
    expect(short(accepting.decide(bash(root, 'cp elsewhere/.bashrc docs')))).toBe('ask default');
    expect(short(accepting.decide(bash(root, 'cp a.txt docs')))).toBe('allow mode');
  });

  it('PM-17: a working directory inside a protected one is not protected itself', () => {
    const inside = permissions({ root: `${root}/.claude/worktrees/one`, mode: 'acceptEdits' });
    expect(short(inside.decide(write(`${root}/.claude/worktrees/one`, 'a.txt')))).toBe('allow mode');
    expect(short(inside.decide(write(`${root}/.claude/worktrees/one`, '.claude/x')))).toBe('ask default');
  });
});
