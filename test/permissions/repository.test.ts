import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bash, makeWorkspace, short } from './workspace.js';

const repository = (config: string): ReturnType<typeof makeWorkspace> => {
  const workspace = makeWorkspace();
  writeFileSync(`${workspace.root}/.git/config`, config);
  return workspace;
};

describe('a repository that brings programs', () => {
  it.each([
    '[core]\n\tfsmonitor = touch made',
    '[Core]\n\tFSMonitor=./x',
    '[core] fsmonitor = ./x',
    '[diff]\n\texternal = ./x',
    '[diff "img"]\n\ttextconv = ./x',
    '[core]\n\tpager = ./x',
    '[pager]\n\tlog = ./x',
    '[include]\n\tpath = ../x',
    '[includeIf "gitdir:/"]\n\tpath = ../x',
    '[filter "x"]\n\tclean = ./x',
    '[core]\n\tfsmonitor = \\\n./x',
    '# a comment \\\n[core]\n\tfsmonitor = ./x',
    '; a comment \\\n[core] fsmonitor = ./x',
    '[user] [core] fsmonitor = ./x',
    '[user] name = x [core] fsmonitor = ./x\n[core] fsmonitor = ./x',
    '[include]\n\tpath = ../x\n\tpath =',
    '[include]\n\tpath = ../x\n[include]\n\tpath = true',
    '[include]\n\tpath = cat',
    '[include]\n\tpath = "true"',
    '[core]\n\tfsmonitor = ./x\n\tfsmonitor = false',
    '[user]\n\tname = "a\n[core]\n\tfsmonitor = ./x"',
    '[user]\rname = x\n[core]\rfsmonitor = ./x',
    '\ufeff[core]\n\tfsmonitor = ./x',
    '[core "x"]\n[core]fsmonitor=./x',
    '[core.x]\n\ty = 1\n[core]\n\tworktree = /etc',
    '[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ../x',
    '[remote "origin"]\n\tpromisor = true\n\tuploadpack = ./x',
    '[hook "x"]\n\tcommand = ./x',
    '[core]\n\talternateRefsCommand = ./x',
    '[blame]\n\tignoreRevsFile = .env',
    '[newsection]\n\thelper = ./x',
  ])('PM-37: %j makes git commands there ask', (config) => {
    const { root, permissions } = repository(config);
    const decide = (line: string, options = {}): string =>
      short(permissions(options).decide(bash(root, line)));
    expect(decide('git status')).toBe('ask default');
    expect(decide('cd src && git diff')).toBe('ask default');
    expect(decide('git status', { allow: ['Bash(git *)'] })).toBe('ask default');
    expect(decide('git status', { allow: ['Bash(git status)'] })).toBe('allow rule');
    expect(decide('git status', { allow: ['Bash'] })).toBe('allow rule');
    expect(decide('git status', { trustRepository: true })).toBe('allow tool');
    expect(permissions().decide(bash(root, 'git status')).reason).toContain('git configuration');
  });

  it.each([
    ['[merge]\n\ttool = ../../../../x', 'git mergetool'],
    ['[diff]\n\ttool = ../../../../x', 'git difftool -y'],
    ['[pull]\n\ttwohead = y/s.sh', 'git cherry-pick x'],
    ['[submodule "a"]\n\tupdate = !touch made', 'git submodule update'],
    ['[tar "x"]\n\tcommand = touch made', 'git archive --format=x HEAD'],
    ['[trailer "x"]\n\tcmd = touch made', 'git commit --trailer x -m y'],
    ['[gc]\n\trecentObjectsHook = touch made', 'git gc'],
    ['[browser "x"]\n\tcmd = touch made', 'git help -w git'],
    ['[sendemail]\n\ttoCmd = touch made', 'git send-email x'],
  ])('PM-37: %j makes %s ask, although a rule allows git', (config, line) => {
    const { root, permissions } = repository(config);
    expect(short(permissions({ allow: ['Bash(git *)'] }).decide(bash(root, line)))).toBe('ask default');
    expect(short(permissions().decide(bash(root, 'git status')))).toBe('allow tool');
  });

  it('PM-37: an ordinary configuration changes nothing', () => {
    const { root, permissions } = repository(
      '[core]\n\tbare = false\n\tfsmonitor = false\n[merge]\n\ttool = vimdiff\n[submodule "a"]\n\tupdate = rebase\n[remote "origin"]\n\turl = https://x\n\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n# a comment\n[user]\n\tname = "A B" ; me\n\n[gitflow "branch"]\n\tmaster = main\n[pager]\n\tlog = cat\n',
    );
    expect(short(permissions().decide(bash(root, 'git status')))).toBe('allow tool');
    expect(short(permissions({ allow: ['Bash(git *)'] }).decide(bash(root, 'git commit -m x')))).toBe(
      'allow rule',
    );
  });

  it('PM-37: a `.git` that is no repository does not hide the one above', () => {
    const { root, permissions } = repository('[core]\n\tfsmonitor = ./x');
    mkdirSync(`${root}/src/.git`);
    expect(short(permissions().decide(bash(`${root}/src`, 'git status')))).toBe('ask default');
    writeFileSync(`${root}/.git/config`, '[core]\n\tfsmonitor = false');
    expect(short(permissions().decide(bash(`${root}/src`, 'git status')))).toBe('allow tool');
  });

  it('PM-37: where git does not accept a `.git`, the repository above counts', () => {
    const { root, permissions } = repository('[core]\n\tfsmonitor = ./x');
    for (const name of ['refs', 'objects']) mkdirSync(`${root}/src/.git/${name}`, { recursive: true });
    const decide = (line: string): string => short(permissions().decide(bash(`${root}/src`, line)));
    writeFileSync(`${root}/src/.git/HEAD`, 'none\n');
    expect(decide('git status')).toBe('ask default');
    expect(decide('cat "$(git rev-parse --show-toplevel)/a.txt"')).toBe('ask default');
    writeFileSync(`${root}/src/.git/HEAD`, 'ref: refs/heads/main\n');
    expect(decide('git status')).toBe('allow tool');
  });

  it('PM-37: a merge is shown by doing it again, with the drivers of the repository', () => {
    const { root, permissions } = repository('[merge "x"]\n\tdriver = touch made');
    const line = 'git log -p --diff-merges=remerge';
    expect(short(permissions().decide(bash(root, line)))).toBe('ask default');
    writeFileSync(`${root}/.git/config`, '[merge "x"]\n\tdriver = true');
    expect(short(permissions().decide(bash(root, line)))).toBe('allow tool');
  });

  it.each(['registered', 'embedded'])('PM-37: git looks into submodules, here a %s one', (kind) => {
    const { root, permissions } = makeWorkspace();
    const git = (folder: string, ...args: string[]): void => {
      const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always'];
      execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
    };
    rmSync(`${root}/.git`, { recursive: true, force: true });
    mkdirSync(`${root}/deep/inner`, { recursive: true });
    git(root, 'init', '-q', '--template=');
    git(`${root}/deep/inner`, 'init', '-q', '--template=');
    git(`${root}/deep/inner`, 'commit', '-q', '--allow-empty', '-m', 'x');
    if (kind === 'registered') git(root, 'submodule', 'add', './deep/inner', 'deep/inner');
    else git(root, 'add', 'deep/inner');
    expect(short(permissions().decide(bash(root, 'git status')))).toBe('allow tool');
    appendFileSync(`${root}/deep/inner/.git/config`, '[core]\n\tfsmonitor = ./x\n');
    expect(short(permissions().decide(bash(root, 'git status')))).toBe('ask default');
    git(root, 'update-index', '--index-version', '4');
    expect(short(permissions().decide(bash(root, 'git status')))).toBe('ask default');
  });

  it('PM-37: hooks count for commands that do more than read', () => {
    const { root, permissions } = repository('');
    mkdirSync(`${root}/.git/hooks`);
    writeFileSync(`${root}/.git/hooks/pre-commit.sample`, '');
    const rules = { allow: ['Bash(git *)'] };
    expect(short(permissions(rules).decide(bash(root, 'git commit -m x')))).toBe('allow rule');
    writeFileSync(`${root}/.git/hooks/pre-commit`, '');
    expect(short(permissions(rules).decide(bash(root, 'git commit -m x')))).toBe('ask default');
    expect(short(permissions(rules).decide(bash(root, 'git log')))).toBe('allow rule');
    expect(
      short(permissions({ ...rules, trustRepository: true }).decide(bash(root, 'git commit -m x'))),
    ).toBe('allow rule');
  });

  it('PM-37: a repository that git is given, or that is a remote, has hooks of its own', () => {
    const { root, permissions } = makeWorkspace();
    const other = `${root}/other.git`;
    execFileSync('git', ['init', '-q', '--bare', '--template=', other]);
    const decide = (line: string): string =>
      short(permissions({ allow: ['Bash(git *)'] }).decide(bash(root, line)));
    const lines = [
      'git push other.git main',
      'git push --repo=other.git',
      `git push file://${other} main`,
      'git remote add x other.git && git push x main',
      'git submodule add ./other.git',
    ];
    expect(lines.map(decide)).toEqual(lines.map(() => 'allow rule'));
    mkdirSync(`${other}/hooks`);
    writeFileSync(`${other}/hooks/pre-receive`, '');
    expect(lines.map(decide)).toEqual(lines.map(() => 'ask default'));
    expect(decide('git push')).toBe('allow rule');
    writeFileSync(`${root}/.git/config`, '[remote "origin"]\n\turl = ./other.git\n');
    expect(decide('git push')).toBe('ask default');
    expect(decide('git log')).toBe('allow rule');
    rmSync(`${other}/config`);
    rmSync(`${other}/hooks`, { recursive: true });
    expect(decide('git push')).toBe('ask default');
  });

  it('PM-37: a worktree has the configuration of its repository', () => {
    const { root, base, permissions } = makeWorkspace();
    mkdirSync(`${base}/main/worktrees/one`, { recursive: true });
    mkdirSync(`${root}/tree`);
    writeFileSync(`${root}/tree/.git`, `gitdir: ${base}/main/worktrees/one\n`);
    writeFileSync(`${base}/main/worktrees/one/commondir`, '../..\n');
    writeFileSync(`${base}/main/config`, '[core]\n\tfsmonitor = ./x\n');
    expect(short(permissions().decide(bash(`${root}/tree`, 'git status')))).toBe('ask default');
    writeFileSync(`${base}/main/config`, '');
    expect(short(permissions().decide(bash(`${root}/tree`, 'git status')))).toBe('allow tool');
  });
});

describe('lines that cannot be read', () => {
  const { root, permissions } = makeWorkspace();
  const line = 'eval "$X"';

  it('PM-36: are allowed by no rule but one that is exactly the line', () => {
    const decide = (options: object): string => short(permissions(options).decide(bash(root, line)));
    expect(decide({})).toBe('ask default');
    expect(decide({ allow: ['Bash(eval *)', 'Bash(*)x'].slice(0, 1) })).toBe('ask default');
    expect(decide({ allow: [`Bash(${line})`] })).toBe('allow rule');
    expect(decide({ mode: 'plan' })).toBe('deny mode');
    expect(decide({ mode: 'dontAsk' })).toBe('deny mode');
    expect(permissions().decide(bash(root, line)).reason).toContain('only known when it runs');
  });

  it.each(['Bash(rm *)', 'Read(.env)', 'Edit(src/**)'])(
    'PM-36: a rule for all of Bash does not count where %s is denied or asked about',
    (rule) => {
      expect(short(permissions({ allow: ['Bash'] }).decide(bash(root, line)))).toBe('allow rule');
      for (const behavior of ['deny', 'ask'])
        expect(short(permissions({ allow: ['Bash'], [behavior]: [rule] }).decide(bash(root, line)))).toBe(
          'ask rule',
        );
    },
  );
});
