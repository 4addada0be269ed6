import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShellLine } from '../../src/permission/shell/bash-command.js';
import { unwrapped } from '../../src/permission/shell/bash-command-wrappers.js';

const commandsOf = (line: string): string[] =>
  readShellLine(line).commands.map(({ words }) => words.map(({ raw }) => raw).join(' '));

describe('taking a shell line apart', () => {
  it.each([
    ['a b c', ['a b c']],
    ['a \'b c\' "d e"', ['a \'b c\' "d e"']],
    ['a && b || c; d | e |& f & g', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],
    ['a\n\n  b  ', ['a', 'b']],
    ['a;; b', ['a', 'b']],
    ['a \\\n b', ['a b']],
    ['a b\\ c', ['a b\\ c']],
    ['a # b; c\nd#e', ['a', 'd#e']],
    ['(a; (b))', ['a', 'b']],
    ['a $(b $(c)) d', ['c', 'b $(c)', 'a $(b $(c)) d'].sort()],
    ['a "$(b "c d")"', ['b "c d"', 'a "$(b "c d")"']],
    ['a `b \\`c\\``', ['c', 'b `c`', 'a `b \\`c\\``']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['while a; do b; done', ['a', 'b']],
    ['for i in x $(a); do b $i; done', ['a', 'b $i']],
    ['for ((i=0;i<3;i++)); do a; done', ['a']],
    ['(( x = $(a) )); b', ['a', 'b']],
    ['a $((1 + (2))) b', ['a $((1 + (2))) b']],
    ['a $( (b) )', ['b', 'a $( (b) )']],
    ['a $((b) | c)', ['b', 'c', 'a $((b) | c)']],
    ['[[ a < b && ( c || d ) ]] && e', ['[[ a b c d ]]', 'e']],
    ['a $((b "))") )', ['b "))"', 'a $((b "))") )']],
    ['f() { a; }', ['a']],
    [`a $\{x:-"}"} b`, [`a $\{x:-"}"} b`]],
    ["a $'it\\'s' b", ["a $'it\\'s' b"]],
    ['a "$\'$(b)\'"', ['b', 'a "$\'$(b)\'"']],
    ['a ${x:-<(b)}', ['b', 'a ${x:-<(b)}']],
    ['a "${x:-<(b)}"', ['a "${x:-<(b)}"']],
    ["a ${x:-'$(b)'}", ["a ${x:-'$(b)'}"]],
    ['a 2>&1 >b <c 3<>d &>e', ['a']],
    ['a <<E b\nno command\nE\nc', ['a b', 'c']],
    ["a <<-'E' | b\n\t$(no)\n\tE\nc", ['a', 'b', 'c']],
    ['a <<E\n$(b) \\$(c)\nE', ['b', 'a']],
    ['a > >(b) <(c)', ['a <(c)', 'b', 'c']],
    ['{ a; } > b', ['', 'a']],
    ['! a', ['a']],
    ['a=1 b', ['a=1 b']],
    ['', []],
    [' ; ', []],
  ])('IF-5 %j', (line, commands) => {
    expect(commandsOf(line).sort()).toEqual([...commands].sort());
    expect(readShellLine(line).readable).toBe(true);
  });

  it.each([['a "${x#\'"\'}"\nb\na "c" }"'], ['a "${x:-\'b\'}"'], ['a <<E\n${x:-"}"}\nE']])(
    'IF-9 where it depends on more than the line which quotes count, it is not read for sure: %j',
    (line) => {
      expect(readShellLine(line).readable).toBe(false);
    },
  );

  it('IF-7 redirections are told apart from words', () => {
    const [command] = readShellLine('a 2>> "b c" 3 > d <<< e').commands;
    expect(command?.words.map(({ plain }) => plain)).toEqual(['a', '3']);
    expect(command?.redirects.map(({ operator, target }) => [operator, target.plain])).toEqual([
      ['>>', 'b c'],
      ['>', 'd'],
      ['<<<', 'e'],
    ]);
  });
});

const BASH = spawnSync('bash', ['-c', 'echo $BASH'], { encoding: 'utf8' }).stdout?.trim() ?? '';

describe.skipIf(BASH === '')('held against bash itself', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shell-lines-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What ran, of the two commands there are. No piece writes a file, and without a PATH nothing else can start. */
  function ran(line: string): Set<string> {
    const prelude =
      'FUNCNEST=3; ma() { echo ma >&3; }; mb() { echo mb >&3; }; readonly -f ma mb; readonly FUNCNEST\n';
    const { output } = spawnSync(BASH, ['--norc', '--noprofile', '-c', prelude + line], {
      cwd: folder,
      env: { PATH: '' },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      timeout: 5_000,
      encoding: 'utf8',
    });
    return new Set(output[3]?.split('\n').filter((name) => name !== ''));
  }

  const piece = fc.constantFrom(
    ...['ma', 'mb', ' ma ', ' mb ', ' ', ' ', '\n', ';', ' && ', ' || ', ' | ', ' & ', '"', "'", '`', '\\'],
    ...['$(', ')', '(', '$((', '))', '((', '${x:-', '}', '{ ', '; }', ' <(', '$x', '$', '#', '=', '1'],
    ...['if ', '; then ', '; fi', ' else ', 'for x in ', '; do ', '; done', '! ', '[[ ', ' ]]', ' -n '],
    ...[
      ' <<E\n',
      '\nE\n',
      " <<'E'\n",
      ' <<<',
      " $'",
      '+',
      'time ',
      'case x in ',
      '>(',
      '${x#',
      '"${x:-',
      ' x) ',
      ';; esac',
      '[',
      '*',
    ],
  );

  /** Lines that mean something … */
  const { sound } = fc.letrec<{ sound: string }>((tie) => ({
    sound: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('ma', 'mb', 'ma x', "mb 'y z'", 'x=1 ma', ':'),
      ...[
        ['', ' && ', ''],
        ['', '; ', ''],
        ['', ' | ', ''],
        ['', '\n', ''],
        ['(', ' || ', ')'],
        ['{ ', '; ', '; }'],
        ['echo $(', ') `', '`'],
        ['echo "$(', ') ', '"'],
        ['echo ', ' <(', ')'],
        ['if ', '; then ', '; fi'],
        ['for x in $(', '); do ', '; done'],
        ['echo ${x:-$(', ')} $(( $(', ') ))'],
        ['cat <<E ; ', '\n$(', ')\nE'],
        ['[[ -n $(', ') ]] && ', ''],
        ['x=$(', ') ', ''],
        ['f() { ', '; }; f; ', ''],
        ['echo "${x:-$(', ')}" ${x:-<(', ')}'],
        ['echo "$\'$(', ")' ${y:-'$(", ')\'}"'],
      ].map(([before, between, after]) =>
        fc.tuple(tie('sound'), tie('sound')).map(([one, two]) => before + one + between + two + after),
      ),
    ),
  }));
  /** … and the same with something put in, so that they mean something else, or nothing. */
  const disturbed = fc
    .tuple(sound, fc.array(fc.tuple(fc.nat({ max: 80 }), piece), { maxLength: 2 }))
    .map(([line, extras]) =>
      extras.reduce((text, [at, extra]) => text.slice(0, at) + extra + text.slice(at), line),
    );
  const anyLine = fc.oneof(
    disturbed,
    fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join('')),
  );

  it('IF-10 no command that bash runs is overlooked in a line that counts as read', () => {
    let checked = 0;
    fc.assert(
      fc.property(anyLine, (line) => {
        const read = readShellLine(line);
        const names = read.commands.map(({ words }) => unwrapped(words, 'all')?.at(-1)?.[0]);
        if (!read.readable || names.some((name) => name?.dynamic || name?.expands)) return;
        checked += 1;
        const found = names.map((name) => name?.plain);
        for (const name of ran(line)) {
          const where = `${JSON.stringify(line)} in ${JSON.stringify(found)}`;
          expect(found.includes(name), `${name} of ${where}`).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
    expect(checked).toBeGreaterThan(100);
  }, 120_000);

  it('IF-10 the check itself sees what bash runs', () => {
    expect(ran('ma; if mb; then :; fi')).toEqual(new Set(['ma', 'mb']));
    expect(ran('echo ma')).toEqual(new Set());
  });
});
