import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../support/processor-time.js';
import { bash, makeWorkspace, short } from './workspace.js';

const { root, permissions } = makeWorkspace();

const DENIED = { deny: ['Read(./.env)'] };
const ALLOWED = { allow: ['Bash'], ...DENIED };
const verdict = (line: string, options: object, cwd = root): string =>
  short(permissions(options).decide(bash(cwd, line)));
const table = (...lines: readonly string[]): [string][] => lines.map((line) => [line]);

describe('a file that a rule denies to read', () => {
  it.each(
    table(
      'mv ../project ../q',
      'ln -s . d',
      'ln -s .. src/up',
      'ln -s ../.env src/x',
      'cp -t src .env',
      'grep -R x',
      'grep -d recurse x .',
      'diff -N . src',
      'cat <> .env',
      'vim -es .env +%p +q',
      'cd src && git show HEAD:.env',
      'git -C src show HEAD:../.env',
    ),
  )('PM-27: %j reads it', (line) => {
    expect(verdict(line, ALLOWED)).toBe('deny rule');
  });

  it.each(
    table(
      'git archive HEAD',
      'git cat-file --batch',
      'git grep --no-index x',
      'cat < .e*',
      'timeout 5 cat < $X',
    ),
  )('PM-35: which files %j reads is not known', (line) => {
    expect(verdict(line, ALLOWED)).toBe('ask rule');
  });

  it.each(
    table(
      'python3 -c \'print(open(".env"))\'',
      'python3 -c \'open(f"{os.getcwd()}/.env")\'',
      'python3 -c \'glob.glob(".e*"); glob.glob(".en[v]")\'',
      `python3 - <<'E'\nopen(".env")\nE`,
      "sed 'r .env' a.txt",
      "sed '/x/r./.env' a.txt",
      'date -f.env',
      'xargs -a .env echo',
      'curl "file://localhost$PWD/%2eenv"',
      'git config --file=.env --list',
      'ENV=.env sh -ic :',
      'HISTFILE=.env; history -r',
      './.env',
      'PATH=. .env',
      "echo 'r .env' | sed -f - a.txt",
      'echo \'open(".env")\' | python3',
      "sort --files0-from=<(printf '.env\\0')",
    ),
  )('PM-44: %j names it in a text that may be more than a text', (line) => {
    expect(verdict(line, ALLOWED)).toBe('ask rule');
    expect(verdict(line, { ...DENIED, mode: 'bypassPermissions' })).toBe('ask rule');
  });

  it.each(
    table(
      'pushd src; cat ../.env',
      'pushd src; python3 -c \'open("../.env")\'',
      'pushd ..; grep -r x docs',
      'f() { cd ..; }; f; cat project/.env',
      'env -C src cat ../.env',
      'find src -execdir cat ../.env \\;',
      'cd .. && git --git-dir=project/.git show HEAD:.env',
    ),
  )('PM-45: where the paths of %j start is not known', (line) => {
    expect(verdict(line, ALLOWED)).toBe('ask rule');
  });

  it.each(
    table(
      ...[
        'npm test',
        'make -j4',
        'npx eslint .',
        'docker build -t x src',
        './build.sh',
        'PORT=3000 npm start',
      ],
      ...[
        'git add .',
        'git -C src add .',
        'git commit -am "Ignore .env"',
        "git commit -F - <<'E'\nIgnore .env\nE",
      ],
      ...['git status', 'git diff', 'git log', 'git stash pop', 'git push origin main'],
      ...['echo .env >> .gitignore', 'echo "see .env" | tee -a notes', 'cat > notes <<E\nsee .env\nE'],
      ...['[ -f .env ] || cp .env.example .env', 'touch .env', 'rm -f .env', 'chmod 600 .env'],
      ...[
        'node -p process.env.HOME',
        'node -e "load().env"',
        'perl -ne "print if /(.*)/" a.txt',
        'awk /.env/ a.txt',
      ],
      ...['sed -i s/a/b/ a.txt', 'grep -rn "process.env" src', "grep -n '\\.env' a.txt", 'tar czf x.tgz src'],
      ...['cd "$(git rev-parse --show-toplevel)" && npm test', 'pushd src && cat main.ts && popd'],
      ...['gh pr create --title "Ignore .env" --body "Read .env later"', 'mv src lib', 'ln -s ../src docs/x'],
    ),
  )('PM-44: everyday work stays free: %j', (line) => {
    expect(verdict(line, ALLOWED)).toBe('allow rule');
  });

  it.each(
    table(
      'cat a.txt',
      'grep -rn foo src',
      'git diff',
      'git log',
      'git status',
      'bash -lc ls',
      "bash -eo pipefail -c 'ls'",
    ),
  )('PM-27: reading other files stays free: %j', (line) => {
    expect(verdict(line, DENIED)).toBe('allow tool');
  });

  it.each(table('bash --rcfile a.txt -ic ls', 'env -C .. ls', 'env -C src cat main.ts'))(
    'PM-19: %j does more than read here',
    (line) => {
      expect(verdict(line, {})).toBe('ask default');
    },
  );

  it('PM-40: a tool that says whether a text is in the file reads it', () => {
    const call = (toolName: string) => ({
      ...bash(root, ''),
      toolName,
      input: { file_path: `${root}/.env`, old_string: 'h', new_string: 'i', content: '' },
    });
    const some = permissions({ mode: 'acceptEdits', ...DENIED });
    expect(short(some.decide(call('Edit')))).toBe('deny rule');
    expect(short(some.decide(call('MultiEdit')))).toBe('deny rule');
    expect(short(some.decide(call('Write')))).toBe('allow mode');
    expect(short(permissions({ allow: ['Read'] }).decide(call('Edit')))).toBe('ask default');
  });

  it('PM-33: a long text takes milliseconds', () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `x${index}.y/z*`);
    const code = `python3 - <<'E'\n${names.join(',')}\nE`;
    const started = processorMs();
    expect(verdict(code, ALLOWED)).toBe('allow rule');
    expect(processorMs() - started).toBeLessThan(1_500);
  });
});

describe('a folder with a file that a rule denies to read', () => {
  it.each(
    table(
      'docker run -v $PWD:/x alpine ls',
      'docker build .',
      'docker run -v $X:/x alpine ls',
      'npm pack',
      'cd src; npm pack',
      'aws s3 sync .. s3://b',
      './upload.sh .',
      'python3 -c "import os; os.listdir(x)"',
      'env -C . npm pack',
    ),
  )('PM-47: %j may hand it on', (line) => {
    expect(verdict(line, ALLOWED)).toBe('ask rule');
  });

  it.each(
    table(
      'docker run -v $PWD/src:/x alpine ls',
      'docker build src',
      'cd src && npm pack',
      'aws s3 sync src s3://b',
      './upload.sh src',
      'python3 -c "import os; os.listdir(\'src\')"',
      'python3 -c "import glob; glob.glob(\'*.py\')"',
      'npx eslint . && npx prettier --check .',
    ),
  )('PM-47: %j does not', (line) => {
    expect(verdict(line, ALLOWED)).toBe('allow rule');
  });

  it('PM-47: docker build leaves out what .dockerignore names, unless a line brings files back', () => {
    const ignoring = (...lines: string[]): string => {
      writeFileSync(join(root, '.dockerignore'), lines.join('\n'));
      return verdict('docker build -t x .', ALLOWED);
    };
    expect([
      ignoring('# secrets', '.env'),
      ignoring('**/.env'),
      ignoring('src/.env'),
      ignoring('.env', '!.env'),
    ]).toEqual(['allow rule', 'allow rule', 'ask rule', 'ask rule']);
  });
});

describe('a file system that ignores case', () => {
  // Here the second name is a link, and the same file as on such a file system.
  const same = join(root, 'same');
  mkdirSync(join(same, 'secrets'), { recursive: true });
  for (const [name, other] of [
    ['.env', '.ENV'],
    ['secrets/key', 'secrets/KEY'],
  ] as const) {
    writeFileSync(join(same, name), 'hush');
    linkSync(join(same, name), join(same, other));
  }
  writeFileSync(join(root, '.Env'), 'another file');

  it.each(
    table('cat same/.ENV', 'cat < same/.ENV', 'cp same/.ENV x', 'cat same/secrets/KEY', 'grep -r x same'),
  )('PM-48: %j reads it', (line) => {
    expect(verdict(line, { allow: ['Bash'], deny: ['Read(same/.env)', 'Read(**/secrets/key)'] })).toBe(
      'deny rule',
    );
  });

  it.each(table('python3 -c \'open("same/.ENV")\'', 'docker run -v $PWD/same:/x alpine'))(
    'PM-48: %j may read it',
    (line) => {
      expect(verdict(line, { allow: ['Bash'], deny: ['Read(same/.env)'] })).toBe('ask rule');
    },
  );

  it('PM-48: the rule may have the capitals', () => {
    expect(verdict('cat same/.env', { allow: ['Bash'], deny: ['Read(same/.ENV)'] })).toBe('deny rule');
  });

  it('PM-48: another file with this name in another case is another file', () => {
    expect(verdict('cat .Env', ALLOWED)).toBe('allow rule');
  });

  it('PM-48: no rule allows more than it says', () => {
    expect(
      short(
        permissions({ allow: ['Edit(same/.env)'] }).decide({
          toolName: 'Edit',
          input: { file_path: join(same, '.ENV') },
          readOnly: false,
          cwd: root,
        }),
      ),
    ).toBe('ask default');
  });

  it.each(table('RM a.txt', '/bin/RM a.txt', 'env Rm a.txt', 'xargs RM < a.txt'))(
    'PM-48: %j is rm',
    (line) => {
      expect(verdict(line, { allow: ['Bash'], deny: ['Bash(rm *)'] })).toBe('deny rule');
    },
  );
});
