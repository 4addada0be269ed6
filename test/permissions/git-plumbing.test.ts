import { describe, expect, it } from 'vitest';
import { compileCondition } from '../../src/permissions/rule.js';
import { bash, makeWorkspace } from './workspace.js';

const { root, home, permissions } = makeWorkspace();

const behaviorOf = (line: string, ...deny: string[]): string =>
  permissions({ allow: ['Bash'], deny }).decide(bash(root, line)).behavior;

/** A rule, lines that can do the same, and lines of everyday work that cannot. */
const FAMILIES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    'git push *',
    [
      'git send-pack ../r main',
      'git -C sub send-pack ../r main',
      'git-send-pack ../r main',
      '/usr/lib/git-core/git-http-push https://h/r main',
      'GIT-SEND-PACK ../r main',
      'git remote-https origin https://h/r',
      'git receive-pack ../r',
      'git subtree push --prefix=sub origin main',
      'git svn dcommit',
      'git p4 submit',
      'git lfs push origin main',
      'git -c alias.x=send-pack x ../r main',
      'git bisect run git send-pack ../r',
      "git submodule foreach 'git send-pack ../r'",
      "ssh host 'git send-pack ../r main'",
      `python3 -c 'import os; os.system("git-send-pack ../r main")'`,
      'docker run x git lfs push origin main',
      'git gui',
    ],
    [
      'git lfs pull',
      'git fetch origin',
      'git status',
      'git remote -v',
      'git commit -m send-pack',
      'docker run x git log',
      'git rev-parse @{push}',
    ],
  ],
  [
    'git push --force *',
    ['git send-pack --force ../r main', 'git lfs push origin main'],
    ['git fetch --force', 'git commit -m x'],
  ],
  ['git push*', ['git send-pack ../r main'], ['git pull', 'git status']],
  [
    'git reset --hard *',
    [
      'git read-tree -u --reset HEAD~1',
      'git checkout-index -fa',
      'git checkout -f main',
      'git checkout -qf',
      'git checkout --forc main',
      'git checkout -- .',
      'git checkout .',
      'git switch --disc main',
      'git restore a.txt',
      'git restore -SW a.txt',
      'git update-ref refs/heads/main HEAD~1',
      'git branch -f main HEAD~1',
      'git apply -R x.patch',
      'git checkout "$x"',
      "ssh host 'git checkout-index -fa'",
    ],
    [
      'git checkout main',
      'git checkout -b fix',
      'git switch -c fix',
      'git restore --staged a.txt',
      'git apply x.patch',
      'git branch -a',
      'git stash',
      "ssh host 'git checkout main'",
    ],
  ],
  [
    'git reset *',
    [
      'git restore --staged a.txt',
      'git restore a.txt',
      'git update-index a.txt',
      'git symbolic-ref HEAD refs/heads/x',
    ],
    ['git update-server-info', 'git add a.txt'],
  ],
  [
    'git clean *',
    ['git stash -u', 'git stash push --include-untracked', 'git worktree remove x'],
    ['git stash', 'git stash pop', 'git worktree list'],
  ],
  [
    'git commit *',
    [
      'git commit-tree x',
      'git hash-object -t commit -w --stdin',
      'git hash-object -wt commit x',
      'git am x.mbox',
      'git fast-import',
      'git citool',
    ],
    ['git hash-object a.txt', 'git log', 'git add a.txt', 'git merge-base a b'],
  ],
  [
    'git branch -D *',
    [
      'git update-ref -d refs/heads/x',
      'git symbolic-ref -d HEAD',
      'git push . :x',
      'git push ../project :x',
      'git fetch . a:b',
      'git checkout -B x',
    ],
    ['git fetch -p', 'git push origin main', 'git checkout -b x', 'git branch -a'],
  ],
  ['git tag -d *', ['git update-ref -d refs/tags/x', 'git mktag'], ['git tag -l', 'git describe --tags']],
  [
    'git rm *',
    ['git update-index --remove a.txt', 'git update-index --force-rem a.txt', 'git update-index a.txt'],
    ['git update-index --refresh', 'git update-index -q --refresh', 'git add a.txt'],
  ],
  [
    'git merge *',
    ['git read-tree -m a b c', 'git merge-file a b c', 'git merge-recursive a -- b c', 'git pull'],
    ['git merge-base a b', 'git fetch origin'],
  ],
  [
    'git rebase *',
    ['git am x', 'git pull --rebase', 'git pull -r', 'git filter-branch --all'],
    ['git pull', 'git log'],
  ],
  [
    'git stash drop *',
    [
      'git stash pop',
      'git stash clear',
      'git reflog delete stash@{0}',
      'git reflog expire --all',
      'git update-ref -d refs/stash',
    ],
    ['git stash', 'git stash list', 'git reflog'],
  ],
  [
    'git add *',
    ['git stage a.txt', 'git update-index --add a.txt', 'git commit -am x', 'git apply --index x'],
    ['git commit -m x', 'git update-index --refresh'],
  ],
  ['rm *', [], ['git send-pack ../r main', 'git read-tree HEAD', 'git update-ref -d x']],
  ['git log *', [], ['git read-tree HEAD', 'git send-pack ../r main']],
];

describe('other commands of git that can do the same', () => {
  it.each(FAMILIES)('PM-50 with a rule about %s', (rule, alike, others) => {
    const verdict = (line: string): string => `${behaviorOf(line, `Bash(${rule})`)} ${line}`;
    expect(alike.map(verdict)).toEqual(alike.map((line) => `ask ${line}`));
    expect(others.map(verdict)).toEqual(others.map((line) => `allow ${line}`));
  });

  it.each(FAMILIES)('PM-50 in a line that code starts, with a rule about %s', (rule, alike) => {
    const inCode = (lines: readonly string[]): readonly string[] =>
      lines
        .filter((line) => !/["'\\$]/.test(line))
        .map((line) => `python3 -c 'import os; os.system("${line}")'`);
    const verdict = (line: string): string => `${behaviorOf(line, `Bash(${rule})`)} ${line}`;
    const lines = inCode(alike);
    expect(lines.map(verdict)).toEqual(lines.map((line) => `ask ${line}`));
    expect(verdict(`python3 -c 'import os; os.system("ls -l")'`)).toMatch(/^allow /);
  });

  it('PM-50 the condition of a hook is met, and a rule that asks does so too', () => {
    const met = compileCondition('Bash(git push *)', { home });
    expect(met({ tool_name: 'Bash', tool_input: { command: 'git send-pack ../r main' }, cwd: root })).toBe(
      true,
    );
    const asking = permissions({ allow: ['Bash'], ask: ['Bash(git push:*)'] });
    expect(asking.decide(bash(root, 'git send-pack ../r main')).behavior).toBe('ask');
    const allowing = permissions({ allow: ['Bash(git push *)'] });
    expect(allowing.decide(bash(root, 'git send-pack ../r main')).behavior).toBe('ask');
  });
});
