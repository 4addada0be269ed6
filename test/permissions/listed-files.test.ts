/** Names that one command lists and another one reads: what they may be is looked up, as for wildcards. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Permissions } from '../../src/permissions/permissions.js';
import { bash } from './workspace.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'listed-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const git = (folder: string, ...args: string[]): void => {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
};

/** A repository with these files, all tracked; `->` makes a link. */
function project(name: string, ...files: string[]): string {
  const root = join(base, name);
  mkdirSync(join(root, 'sub'), { recursive: true });
  for (const each of ['a.txt', 'sub/b.txt', ...files]) {
    const [path = '', target] = each.split('->');
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (target === undefined) writeFileSync(join(root, path), 'a\n');
    else symlinkSync(target, join(root, path));
  }
  git(root, 'init', '-q', '--template=');
  git(root, 'add', '-A');
  return root;
}

const FOLDERS = {
  plain: project('plain', 'node_modules/x->/etc/hostname'),
  link: project('link', 'sub/c.txt->/etc/hostname', 'c.txt->/etc/hostname'),
  inner: project('inner', 'c.txt->a.txt'),
  blank: project('blank', 'x /etc/hostname', 'sub/y -o', 'x.txt'),
  dash: project('dash', '--output=made', '-rf'),
  quote: project('quote', "it's.txt", 'a\\b.txt'),
  script: project('script', 'env', 'BEGIN{system("id")}'),
};

const decide = (folder: keyof typeof FOLDERS, line: string, options = {}, at = ''): string => {
  const root = FOLDERS[folder];
  return new Permissions({ root, home: join(base, 'home'), ...options }).decide(bash(join(root, at), line))
    .behavior;
};

describe('names that a command lists', () => {
  it.each([
    ['plain', 'git ls-files -- a.txt sub | xargs cat', 'ask'],
    ['inner', 'git ls-files | xargs cat', 'allow'],
    ['inner', 'find . -type f | xargs cat', 'allow'],
    ['inner', "find . -name '*.txt' | xargs cat", 'allow'],
    ['inner', 'cat $(git ls-files)', 'allow'],
    ['inner', 'for f in $(ls); do cat "$f"; done', 'allow'],
    ['inner', 'git grep -l a | xargs cat', 'allow'],
    ['inner', 'git diff --name-only | xargs cat', 'allow'],
    ['inner', 'rg -l a | xargs cat', 'allow'],
    ['inner', 'grep -rl a . | head -3 | xargs cat', 'allow'],
    // What is left out does not count.
    ['plain', "find . -name '*.txt' -not -path '*/node_modules/*' | xargs cat", 'allow'],
    ['plain', "find . -not -path './node_modules/*' -exec cat {} +", 'allow'],
    ['plain', "find sub -name '*.txt' | xargs cat", 'allow'],
    ['plain', 'grep -rl a --exclude-dir=node_modules . | xargs cat', 'allow'],
    ['plain', "find . -path '*/node_modules' -prune -o -print | xargs cat", 'allow'],
    ['plain', "find . -depth -path '*/node_modules' -prune -o -print | xargs cat", 'ask'],
    ['plain', "find sub . -not -path './node_modules/*' -o -print | xargs cat", 'ask'],
    ['plain', "find . ! \\( -not -path '*/node_modules/*' \\) | xargs cat", 'ask'],
    // Links that lead elsewhere.
    ['link', 'find . -type f -exec cat {} +', 'allow'],
    ['link', 'find . -type f | xargs cat', 'allow'],
    ['link', 'rg -l a | xargs cat', 'allow'],
    ['link', "find . -name '*.txt' -exec cat {} +", 'ask'],
    ['link', "find . -name '*.txt' | xargs wc -l", 'ask'],
    ['link', 'find . ! -type f -exec cat {} +', 'ask'],
    ['link', 'find . ! \\( -type f \\) -exec cat {} +', 'ask'],
    ['link', 'find . -type f -o -exec cat {} +', 'ask'],
    ['link', 'git ls-files | xargs cat', 'ask'],
    ['link', 'cat $(git ls-files)', 'ask'],
    ['link', 'ls | xargs cat', 'ask'],
    ['link', 'find . | while read -r f; do cat "$f"; done', 'ask'],
    ['link', 'find . | while read -r f; do wc -l < "$f"; done', 'ask'],
    ['link', 'find . -type f -name \'*.bak\' | while read -r f; do cat "${f%.bak}"; done', 'ask'],
    // Blanks take a name apart.
    ['blank', 'find . -type f -exec cat {} +', 'allow'],
    ['blank', 'find . -type f -print0 | xargs -0 cat', 'allow'],
    ['blank', 'find . -type f -print0 | while IFS= read -r -d \'\' f; do cat "$f"; done', 'allow'],
    ['blank', "find . -type f -print0 | while IFS= read -r -d '' f; do cat $f; done", 'ask'],
    ['blank', 'find . -type f -print0 | while read -r -d \'\' f; do cat "$f"; done', 'ask'],
    ['blank', 'find . -type f | xargs cat', 'ask'],
    ['blank', 'find . -type f | xargs wc -l', 'ask'],
    ['blank', 'find . -type f -print0 | xargs cat', 'ask'],
    ['blank', 'cat $(find . -type f)', 'ask'],
    ['blank', 'for f in $(git ls-files); do cat "$f"; done', 'ask'],
    ['blank', "find 'x /etc/hostname' | xargs cat", 'ask'],
    ['quote', 'find . -type f | xargs cat', 'ask'],
    ['quote', 'find . -type f | while read f; do cat "$f"; done', 'ask'],
    ['quote', 'find . -type f -exec cat {} \\;', 'allow'],
    // Options.
    ['dash', 'git ls-files | xargs git diff', 'ask'],
    ['dash', 'git diff $(git ls-files)', 'ask'],
    ['dash', 'git ls-files -z | xargs -0 git diff', 'ask'],
    ['dash', 'ls | xargs sort', 'ask'],
    ['dash', 'for f in $(ls); do git log "$f"; done', 'ask'],
    ['dash', 'rg --files | xargs git log', 'ask'],
    // Scripts.
    ['script', 'git ls-files -z | xargs -0 -I{} jq -n {}', 'ask'],
    ['script', 'ls | xargs -I{} jq -n {}', 'ask'],
    ['script', 'find . -type f -exec awk {} a.txt \\;', 'ask'],
    ['script', 'find . -type f -exec sed {} a.txt \\;', 'ask'],
  ] as const)('PM-22 in %s: %s: %s', (folder, line, expected) => {
    expect(decide(folder, line)).toBe(expected);
  });

  it('PM-22 are the names of the folder that they were listed in', () => {
    expect(decide('link', 'cd sub; find . -type f | xargs cat')).toBe('allow');
    expect(decide('link', 'find . -type f | (cd sub; xargs cat)')).toBe('ask');
    expect(decide('inner', 'git diff --name-only | xargs cat', {}, 'sub')).toBe('ask');
    expect(decide('inner', 'git ls-files | xargs cat', {}, 'sub')).toBe('allow');
  });

  it('PM-35 may be a file that a rule is about', () => {
    const options = { deny: ['Read(./a.txt)'] };
    for (const line of ['find . -type f | xargs cat', 'cat $(git ls-files)', 'find . -exec cat {} +'])
      expect(decide('inner', line, options), line).not.toBe('allow');
  });

  it('PM-26 are not written to, also where edits are accepted', () => {
    const options = { mode: 'acceptEdits' } as const;
    expect(decide('inner', 'touch a.txt', options)).toBe('allow');
    for (const line of [
      'find . -type f | xargs touch',
      'touch $(git ls-files)',
      'find . -exec cp a.txt {} \\;',
    ])
      expect(decide('inner', line, options), line).toBe('ask');
  });
});

describe('lines whose words are printed by a command that may print anything', () => {
  it.each([
    'git diff $(git branch --show-current)',
    'git diff $(git describe --tags)',
    'git diff $(git log --format=%s -1)',
    'git diff $(git rev-list --all --left-right)',
    'git diff $(git merge-base main HEAD; echo --output=made)',
    'git diff --output=$(git merge-base main HEAD)',
    'git tag $(git rev-parse HEAD)',
    'grep -e $(wc -l < missing) -m /etc/passwd a.txt',
    'grep -e $(git rev-parse zzz) -m /etc/passwd',
    'cat $(cat a.txt)',
    'cat $(ls -a)',
    'git ls-files .. | xargs cat',
    'git ls-files :/ | xargs cat',
    'cat a.txt | xargs cat',
    'xargs cat < a.txt',
    'xargs -a /etc/passwd echo',
    'find . | tee x | xargs cat',
    'find . 2>&1 | xargs cat',
    'find . |& xargs cat',
    "find . -printf '%f\\n' | xargs cat",
    'find() { echo /etc/passwd; }; find . | xargs cat',
    'find . | while read -r f; do cat "/etc/$f"; done',
    'find . | while read -r a b; do cat "$b"; done',
    '[ -v $(ls) ]',
    '[[ $(git rev-parse HEAD) -gt 3 ]]',
    'echo $(( $(cat a.txt) + 1 ))',
    "a3='x[$(touch made)]'; echo $((a$(seq 3 3)))",
    'sed -n "$(git rev-parse HEAD)" a.txt',
    'npm pkg set name=x',
    'bat cache --build',
    'yq -i .a=1 a.yaml',
    'yq \'load("/etc/passwd")\' a.yaml',
    'mapfile -t PATH < a.txt',
    'declare -x GIT_PAGER=./x',
    'unset -f cat',
    '/usr/local/bin/ls',
    '/usr/bin/../../tmp/ls',
  ])('PM-18 %s asks', (line) => {
    expect(decide('inner', line)).toBe('ask');
  });
});
