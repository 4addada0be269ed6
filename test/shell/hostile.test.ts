import { describe, expect, it } from 'vitest';
import { readShellLine } from '../../src/shell/read-line.js';

/** Far above what it takes, far below what a line that explodes would take. Of processor time: machines are busy. */
const BOUND_MS = 1_000;

function processorMs(read: () => void): number {
  const before = process.cpuUsage();
  read();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const long = (piece: string): string => piece.repeat(Math.floor(10_000 / piece.length));

describe('lines made to stall a reader', () => {
  it.each(
    [
      ...[
        'a ',
        '(',
        '$(',
        '`',
        '"',
        "'",
        '{',
        '{a,',
        '${x:-',
        '$((',
        '((',
        '[[ ',
        '<(',
        '<<E\n',
        '\\',
        '$x',
        '$x ',
        '>$x ',
        'GIT_PAGER=a ',
        '*',
        '?(',
      ],
      ...[
        'a;',
        'a|',
        'a&',
        'a&&',
        'cd a&&',
        'cd a||cd b;',
        'x=1;',
        'x=$y;',
        'for x in a b; do ',
        'while a; do ',
        'if a; then ',
        'case a in b) ',
      ],
      ...[
        'nohup ',
        'env ',
        'sudo ',
        'xargs ',
        "eval '",
        'sh -c "',
        'cd a;',
        'x=a;$x;',
        '{1..9}',
        '{a,b}',
        'f(){ ',
        'a() (',
        '~ ',
      ],
      ...[
        'for x in 1 2 3 4; do for y in 1 2 3 4; do a $x $y;',
        'x$y$z',
        '${a[',
        '$[',
        '!',
        '>',
        '<',
        '#',
        '\n',
        "$'\\x",
        '@(',
      ],
    ].map((piece) => [piece, long(piece)] as const),
  )('SH-5 a line of %j is read in a moment', (_, line) => {
    const taken = processorMs(() =>
      expect(readShellLine(line, { cwd: '/' }).commands.length).toBeLessThan(10_000),
    );
    expect(taken).toBeLessThan(BOUND_MS);
  });

  it.each(['$x ', '>$x ', 'GIT_PAGER=a '])('SH-3 a command of thousands of %j is unreadable', (piece) => {
    expect(readShellLine(long(piece)).unreadable).toContain('too many words');
  });

  it.each(['a;', 'a|', 'a&&'])('SH-3 a line of thousands of %j is unreadable', (piece) => {
    expect(readShellLine(`${piece.repeat(1000)}a`).unreadable).toContain('too many commands');
  });

  it('SH-5 nested loops are not gone through again and again', () => {
    const taken = processorMs(() => {
      readShellLine(`${'for x in a b; do '.repeat(200)}a${'; done'.repeat(200)}`);
      readShellLine(`${'for x in a b c d e f g h; do '.repeat(5)}a $x${'; done'.repeat(5)}`);
    });
    expect(taken).toBeLessThan(BOUND_MS);
  });

  it('SH-5 whatever the text, reading never throws', () => {
    for (const line of ['\0', '\ud800', '\u{1f600}'.repeat(100), ' ', '\n', '{}', '\\', ''])
      expect(() => readShellLine(line)).not.toThrow();
  });
});
