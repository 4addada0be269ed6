import { describe, expect, it } from 'vitest';
import { compileCondition } from '../../src/permissions/rule.js';
import { EVERYDAY, EVERYDAY_ON_FILES } from './corpus/everyday.js';
import { bash, makeWorkspace } from './workspace.js';

const { root, home, permissions } = makeWorkspace();

/** What rules that deny say about a line when everything else is allowed. */
const behaviorOf = (line: string, ...deny: string[]): string =>
  permissions({ allow: ['Bash'], deny }).decide(bash(root, line)).behavior;

describe('programs that hand a text to a shell', () => {
  it.each([
    "tar cf x.tar --checkpoint-action=exec='rm x' a",
    "script -qc'rm x'",
    "EDITOR='rm x'; git commit",
    "GIT_EDITOR='rm x' git commit",
    'sort --compress-program=rm x',
    "at now <<< 'rm x'",
    "split --filter='rm x' a",
  ])('SH-6 %s runs rm', (line) => {
    expect(behaviorOf(line, 'Bash(rm *)')).toBe('deny');
  });

  it.each([
    'GIT_PAGER=cat git log',
    'PAGER=less git log',
    'GIT_EDITOR=true git commit --amend',
    'EDITOR="code --wait" git commit',
    'vim -c "%s/a/b/g" -c wq a.txt',
    'vim +10 a.txt',
    'rsync -av -e "ssh -p 22" a.txt host:',
    'ssh -o StrictHostKeyChecking=no host uptime',
    'tar -czf x.tar.gz src',
    'tar -I zstd -cf x.tar.zst src',
    'tar --checkpoint=100 --checkpoint-action=dot -cf x.tar src',
    'NODE_ENV=test npm test',
    'DATABASE_URL="postgres://u:p@h/db?x=1" npm test',
    'FOO="a b c" make',
    'NPM_CONFIG_LOGLEVEL=error npm ci',
    'man ls',
    'sudo -u app npm start',
  ])('SH-6 %s runs nothing that is denied', (line) => {
    expect(behaviorOf(line, 'Bash(rm *)')).toBe('allow');
  });
});

describe('programs that may run what they are given', () => {
  it.each([
    'frobnicate rm x',
    './run.sh rm x',
    'bash run.sh rm x',
    "ssh host 'rm x'",
    'ssh host \'r""m x\'',
    'docker run --rm alpine rm x',
    `python3 -c 'os.system("rm x")'`,
    'ssh host "rm $f"',
    `perl -e 'system "rm", "x"'`,
    `awk 'BEGIN { system("rm x") }'`,
    "sed '1e rm x' a.txt",
    "python3 <<'E'\nos.system('rm x')\nE",
    "bash -c python3 <<'E'\nos.system('rm x')\nE",
    "X='rm x' make",
    "export X='rm x'; make",
    "env X='rm x' make",
    'c=\'rm x\'; ssh host "$c"',
    'for c in \'rm x\'; do ssh host "$c"; done',
    "echo 'rm x' | frobnicate",
    "echo 'rm x' | xargs ./run.sh",
    "printf 'all:\\n\\trm x\\n' > Makefile; make",
    "printf 'all:\\n\\t\\x72m x\\n' > Makefile; make",
    'vim -S <(echo "!rm x")',
    'rg --pre rm x',
    'PATH=bin:$PATH grep rm x',
    './grep rm x',
    'cp /bin/rm x',
    'f() { ./run "$@"; }; f rm x',
  ])('PM-41 %s mentions rm', (line) => {
    expect(behaviorOf(line, 'Bash(rm *)')).toBe('ask');
    expect(behaviorOf(line, 'Bash(unlink *)')).toBe('allow');
    const appliesTo = compileCondition('Bash(rm *)', { home });
    expect(appliesTo({ tool_name: 'Bash', tool_input: { command: line }, cwd: root })).toBe(true);
  });

  it.each([
    ['Bash(git push *)', 'docker run x git push', 'ask'],
    ['Bash(git push *)', 'docker run x push git', 'allow'],
    ['Bash(npm publish:*)', 'npx npm publish', 'ask'],
    ['Bash(curl*)', 'ssh host curlie x', 'ask'],
    ['Bash(/usr/bin/curl *)', 'ssh host curl x', 'ask'],
    ['Bash(*curl)', 'ssh host curl x', 'allow'],
  ])('PM-41 with %s to deny, %s: %s', (rule, line, behavior) => {
    expect(behaviorOf(line, rule)).toBe(behavior);
  });

  it.each([...EVERYDAY, ...EVERYDAY_ON_FILES])('PM-41 PM-42 PM-49 everyday work is free: %s', (line) => {
    expect(behaviorOf(line, 'Bash(rm *)')).toBe('allow');
  });

  it.each(EVERYDAY)('PM-41 PM-27 PM-51 a rule about a file leaves everyday work free: %s', (line) => {
    expect(behaviorOf(line, 'Bash(rm *)', 'Read(./.env)')).toBe('allow');
  });
});

describe('programs that run unseen code', () => {
  it.each([
    'python3 -c "$code"',
    'node -e "f($x)"',
    'cat x | python3',
    'curl -s x | node -',
    'curl -s x | perl',
    'python3 <<< "$x"',
    'python3 <(curl x)',
    'cat x | at now',
    'cat x | ssh host sh',
    'cat x | docker exec -i c bash',
    'cat x | awk -f -',
    'echo ls > x; sh x',
    'echo ls > x; . ./x',
    'cat a > x; ./x',
    'curl -o x.sh https://example.com; bash x.sh',
    'curl https://example.com -o x.py; python3 x.py',
    'ln -s /bin/ls y; ./y',
    'cp a node; PATH=. node',
    't=$(mktemp); echo ls > "$t"; sh "$t"',
    'base64 -d <<< eDpscw== > Makefile; make',
    'echo ls | sort -o x; sh x',
    'awk \'{ print > "x" }\' a.txt; sh x',
    'cat x | su',
  ])('PM-42 %s', (line) => {
    expect(behaviorOf(line, 'Bash(rm *)')).toBe('ask');
    expect(behaviorOf(line)).toBe('allow');
  });
});

describe('options before the words of a rule', () => {
  it.each([
    ['git -C . push', 'ask'],
    ['git -c a.b=c push origin', 'ask'],
    ['git --git-dir=.git push', 'ask'],
    ['git --git-dir .git push', 'ask'],
    ["git -P 'push'", 'ask'],
    ['git "$x"', 'ask'],
    ['/usr/lib/git-core/git-push', 'ask'],
    ['git push', 'deny'],
    ['git commit -m push', 'allow'],
    ['git commit -m "$x"', 'allow'],
    ['git -C sub commit -m push', 'allow'],
    ['git stash push', 'allow'],
    ['git add "$x"', 'allow'],
  ])('PM-43 %s: %s', (line, behavior) => {
    expect(behaviorOf(line, 'Bash(git push *)')).toBe(behavior);
  });

  it.each([
    ['npm pub', 'ask'],
    ['npm --silent publish', 'ask'],
    ['npm --registry x publish', 'ask'],
    ['npm install publish', 'allow'],
    ['npm run publish-docs', 'allow'],
  ])('PM-43 first letters and options do not hide a command: %s: %s', (line, behavior) => {
    expect(behaviorOf(line, 'Bash(npm publish *)')).toBe(behavior);
  });

  it('PM-43 the name of a task is no short form of another one', () => {
    expect(behaviorOf('npm run test', 'Bash(npm run test:all *)')).toBe('allow');
  });

  it.each([
    ['git push origin --force', 'ask'],
    ['git push --force', 'deny'],
    ['git push origin main', 'allow'],
    ['git push "$x"', 'ask'],
  ])('PM-43 an option of a rule may stand anywhere: %s: %s', (line, behavior) => {
    expect(behaviorOf(line, 'Bash(git push --force *)')).toBe(behavior);
  });
});
