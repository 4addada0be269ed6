import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { READING_MACHINE } from '../../src/shell/reading-machine.js';
import { READING_PROGRAMS } from '../../src/shell/reading-programs.js';
import { READING_SCRIPTS } from '../../src/shell/reading-scripts.js';
import { bash, makeWorkspace, short } from './workspace.js';

const { root, elsewhere, permissions } = makeWorkspace();

const verdict = (line: string, cwd = root): string => short(permissions().decide(bash(cwd, line)));
const table = (...lines: readonly string[]): [string][] => lines.map((line) => [line]);

describe('lines that only read', () => {
  it.each(
    table(
      'ls',
      'ls -la src',
      'pwd && whoami; date +%s',
      'cat a.txt b.txt | sort -k 2,2 | uniq -c | head -20',
      'head -n 5 a.txt; tail -20 a.txt; wc -l a.txt',
      "grep -rn --include='*.ts' '/api/v1' src",
      "grep -A3 -e '/etc' a.txt",
      'find . -name "*.ts" -type f -not -path "./node_modules/*"',
      'echo "a; rm b" \'c & d\' > /dev/null 2>&1',
      'test -f a.txt && [ -d src ] || true',
      'diff -u a.txt b.txt; cmp a.txt b.txt; sha256sum a.txt',
      'stat a.txt; file a.txt; du -sh .; df -h',
      'basename /x/y; dirname /x/y; which git; command -v node; type ls',
      'timeout 5 cat a.txt; time ls; nice -n 5 ls; LANG=C sort a.txt',
      '! grep -q x a.txt',
      "cat <<'END'\nwith $HOME and $(nothing)\nEND",
      'cat <<END\nplain\nEND',
      'cat < a.txt',
      'cut -d: -f1 a.txt; tr a-z A-Z < a.txt; seq 3; sleep 0.1',
      '# nothing but a remark',
      'env ls; env LANG=C sort a.txt',
      "sh -c 'ls src'; eval ls",
      'cat <(ls) | wc -l',
      'sleep 1 &',
      '(ls); { pwd; }',
      'for i in a b; do ls; done',
      'for f in *.txt src/*.ts; do wc -l "$f"; echo "$f"; done',
      'for ((i=0; i<3; i++)); do echo $i; done',
      'while read -r line; do echo "$line"; done < a.txt',
      'i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done',
      'if [ -f a.txt ]; then cat a.txt; else echo none; fi',
      'case $1 in x) ls;; *) pwd;; esac',
      '[[ -f a.txt && $(wc -l < a.txt) = 1 ]] && echo yes',
      'n=$(wc -l < a.txt); echo "$n lines"',
      'set -euo pipefail; cd src && ls',
      'echo "$(git rev-parse HEAD)" $(date)',
      "echo 'text with $(rm x) in it'",
      'greet() { echo hi; }; greet',
    ),
  )('PM-19: %j', (line) => {
    expect(verdict(line)).toBe('allow tool');
  });

  it.each(
    table(
      'rm a.txt',
      'touch x',
      'ls | xargs cat',
      'xargs rm < a.txt',
      'nohup ls',
      'sudo ls',
      '/bin/ls',
      './ls',
      'sort -o a.txt b.txt',
      'sort -ob.txt a.txt',
      'sort --output=b.txt a.txt',
      'sort --outp=b.txt a.txt',
      'sort --compress-program=./x a.txt',
      'sort -nro b.txt a.txt',
      'uniq a.txt b.txt',
      'find . -exec rm {} \\;',
      'find . -delete',
      'find . -fprint x',
      'find -L . -name x',
      'rg --pre ./x y',
      'rg -L x',
      'grep -R x .',
      'grep -f ../elsewhere/secret a.txt',
      'date 0101000022',
      'date -s now',
      'hostname other',
      'tree -o x',
      'file -C -m a.txt',
      'diff -l a.txt b.txt',
      'tee x',
      'sed -n wx a.txt',
      'awk 1>x a.txt',
      'awk "{print > FILENAME}" a.txt',
      "printf -v PATH '%s' x; ls",
      "printf 'xx%n' PATH; ls",
      "printf '%-5hhn' PATH",
      "test -v 'a[PATH=1]'",
      '[ -v x ]',
      'type -o x',
      'command ls -la; command rm x',
      'cat --number --unknown a.txt',
      'wc --files0-from=a.txt',
    ),
  )('PM-19: not %j', (line) => {
    expect(verdict(line)).toBe('ask default');
  });

  it.each(
    table(
      'echo hi; rm -rf /',
      'cat $(rm x)',
      'cat `rm x`',
      'echo "$(rm x)"',
      'ls > f',
      'ls >> f',
      'ls >| f',
      'ls &> f',
      'ls 2> f',
      'ls 1<> f',
      'ls >& f',
      '> f',
      "cat <<'E' > f\nx\nE",
      'cat <<E\n$(rm x)\nE',
      'cat <<E\n$SECRET\nE',
      'cat <<< "$SECRET"',
      'cat <<< $(rm x)',
      'ls\nrm x',
      'ls \\\n; rm x',
      'ls > >(tee f)',
      'ls & rm x',
      'ls || rm x',
      'ls |& tee f',
      'ls() { rm x; }; ls',
      'function ls { rm x; }',
      '(( PATH = 1 )); ls',
      'PATH=. ls',
      'LD_PRELOAD=./x.so ls',
      'GIT_EXTERNAL_DIFF=./x git diff',
      'LANG=$(rm x) ls',
      'PATH=x',
      'GIT_DIR=x',
      'LESSOPEN=x',
      'POSIXLY_CORRECT=1',
      "echo 'a\nb' \"",
      "ls 'a",
      'ls\u00a0-la',
      'ls\rrm x',
      'ls \u202e',
    ),
  )('PM-20: not %j', (line) => {
    expect(verdict(line)).toBe('ask default');
  });

  it('PM-20: the sentence says what the reason is', () => {
    expect(permissions().decide(bash(root, 'eval "$X"')).reason).toContain('only known when it runs');
    expect(permissions().decide(bash(root, 'ls > f')).reason).toContain('`ls > f`');
  });

  it.each([
    ['echo $HOME "${PWD}/x" $?', 'allow tool'],
    ['printf "%s\\n" "$USER"', 'allow tool'],
    ['echo $AWS_SECRET_ACCESS_KEY', 'ask default'],
    ['echo ${HOMEWORK:=x}', 'ask default'],
    ['echo ${x:=1} $x', 'ask default'],
    ['echo $HOMEWORK', 'ask default'],
    ['echo $((PATH=1)); ls', 'ask default'],
    ["echo $'a'", 'allow tool'],
    ['printf "$HOME"', 'allow tool'],
    ['printf "$X"', 'ask default'],
    ['cat $HOME/x', 'ask default'],
    ['cat "$PWD/a.txt" "$(pwd)/b.txt"', 'allow tool'],
    ['cat $PWD/../elsewhere/secret', 'ask default'],
    ['f=a.txt; cat $f', 'allow tool'],
    ['f=/etc/passwd; cat $f', 'ask default'],
    ['for f in $(ls); do cat $f; done', 'ask default'],
    ['ls $OPTIONS', 'ask default'],
    ['timeout 5$X ls', 'ask default'],
    ['$X a.txt', 'ask default'],
    ['l? a.txt', 'ask default'],
  ])('PM-21: what is only known when the line runs: %j is: %s', (line, expected) => {
    expect(verdict(line)).toBe(expected);
  });
});

describe('the list of programs that only read', () => {
  it('PM-19: is the one that is written down', () => {
    const page = readFileSync(new URL('../../spec/permissions.md', import.meta.url), 'utf8');
    const rule = /\*\*PM-19\*\*[^:]*:\s(.*?)\.\s/s.exec(page)?.[1] ?? '';
    const written = [...rule.matchAll(/`([^`\s]+)[^`]*`/g)].map(([, name]) => name);
    expect(written.sort()).toEqual(
      [...Object.keys({ ...READING_PROGRAMS, ...READING_SCRIPTS, ...READING_MACHINE }), 'git'].sort(),
    );
  });
});

describe('what lines read', () => {
  it.each([
    ['cat src/main.ts', 'allow tool'],
    ['cat ../elsewhere/secret', 'ask default'],
    ['cat /etc/passwd', 'ask default'],
    ['cat ~/notes', 'ask default'],
    ['cat out/secret', 'ask default'],
    ['cat < ../elsewhere/secret', 'ask default'],
    ['cat < /dev/tcp/localhost/80', 'ask default'],
    ['ls ..', 'ask default'],
    ['grep root -- /etc/passwd', 'ask default'],
    ['grep -e root /etc/passwd', 'ask default'],
    ['grep -c 1 2 /etc/passwd', 'ask default'],
    ['head -n 5 /etc/passwd', 'ask default'],
    ['head -5 /etc/passwd', 'ask default'],
    ['od -w /etc/passwd', 'ask default'],
    ['ls -w /etc', 'ask default'],
    ['find /etc -name x', 'ask default'],
    ['find a.txt -o /etc', 'ask default'],
    ['grep x a.txt /dev/null', 'allow tool'],
    ['cat -- -n', 'allow tool'],
    ['cat -', 'allow tool'],
  ])('PM-22: %j is: %s', (line, expected) => {
    expect(verdict(line)).toBe(expected);
  });

  it('PM-22: stars are looked up', () => {
    expect(verdict('cat *.txt')).toBe('allow tool');
    expect(verdict('cat src/*.ts no-such-*')).toBe('allow tool');
    expect(verdict('cat *')).toBe('ask default');
    expect(verdict('ls -d o?t')).toBe('ask default');
    expect(verdict('cat */secret')).toBe('ask default');
    expect(verdict('cat src/../../elsewhere/*')).toBe('ask default');
    expect(verdict('cat {a.txt,/etc/passwd}')).toBe('ask default');
    expect(verdict('cat [a]*')).toBe('ask default');
    expect(verdict("grep '*' a.txt")).toBe('allow tool');
  });

  it('PM-22: a file whose name looks like an option is not let in by a star', () => {
    const { root: other, permissions: theirs } = makeWorkspace();
    expect(short(theirs().decide(bash(`${other}/src`, 'sort *')))).toBe('allow tool');
    writeFileSync(`${other}/src/--compress-program=x`, '');
    expect(short(theirs().decide(bash(`${other}/src`, 'sort *')))).toBe('ask default');
    expect(short(theirs().decide(bash(`${other}/src`, 'sort ./*')))).toBe('allow tool');
  });

  it('PM-22: nor does a star rule cover a star that may stand for an option', () => {
    const { root, permissions } = makeWorkspace();
    const decide = (line: string, allow: string[]): string =>
      short(permissions({ allow }).decide(bash(root, line)));
    expect(decide('find * -name x', ['Bash(find *)'])).toBe('allow rule');
    writeFileSync(`${root}/-delete`, '');
    expect(decide('find * -name x', ['Bash(find *)'])).toBe('ask default');
    expect(decide('find . -name x -d*', ['Bash(find *)'])).toBe('ask default');
    expect(decide('find ./* -name x -newer src', ['Bash(find *)'])).toBe('allow rule');
    expect(decide('find * -name x', ['Bash'])).toBe('allow rule');
    expect(decide('find * -name x', ['Bash(find * -name x)'])).toBe('ask default');
  });

  it('PM-22: a link among what a star stands for is followed', () => {
    const { root: other, elsewhere: away, permissions: theirs } = makeWorkspace();
    expect(short(theirs().decide(bash(other, 'cat docs/*')))).toBe('allow tool');
    symlinkSync(`${away}/secret`, `${other}/docs/notes.md`);
    expect(short(theirs().decide(bash(other, 'cat docs/*')))).toBe('ask default');
  });

  it.each([
    ['cd src && ls', 'allow tool'],
    ['cd src && cat main.ts && cd deep', 'allow tool'],
    ['cd', 'ask default'],
    ['cd -', 'ask default'],
    ['cd ..', 'ask default'],
    ['cd out && ls', 'ask default'],
    ['cd src && cat ../a.txt', 'allow tool'],
    ['cd src; cat ../a.txt', 'ask default'],
    ['cd src/deep && cd .. && cat main.ts', 'allow tool'],
    ['cd src | cat ../../elsewhere/secret', 'ask default'],
    ['cd src; cd deep; cd src; cd deep; cd src; ls', 'ask default'],
    ['cd s*', 'ask default'],
    ['cd $X; ls', 'ask default'],
    ['pushd src; ls', 'ask default'],
  ])('PM-23: %j is: %s', (line, expected) => {
    expect(verdict(line)).toBe(expected);
  });

  it('PM-23: an agent that is elsewhere reads nothing without being asked', () => {
    expect(verdict('ls', elsewhere)).toBe('ask default');
    expect(verdict('echo hi', elsewhere)).toBe('allow tool');
    expect(verdict(`cat ${root}/a.txt`, elsewhere)).toBe('allow tool');
  });
});
