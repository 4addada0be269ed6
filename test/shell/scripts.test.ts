import { describe, expect, it } from 'vitest';
import { onlyPrintsAwk } from '../../src/shell/awk-script.js';
import { onlyPrintsSed } from '../../src/shell/sed-script.js';

describe('scripts of sed', () => {
  it.each([
    '1,5p',
    '$p',
    '/x/p',
    '/a/,/b/p',
    '/^$/d;s/ *$//',
    's/a/b/; s|c|d|g',
    '/x/{s/a/b/;p}',
    '1!G;h;$!d',
    '10q',
    's/[^a-z]*//',
    '2~3p',
    '0,/x/d',
    '# a comment\np',
    's/\\//x/',
    'y/abc/xyz/',
  ])('PM-46: %j only prints', (script) => {
    expect(onlyPrintsSed(script)).toBe(true);
  });

  it.each([
    'w x',
    'e x',
    'r x',
    'R x',
    'W x',
    's/a/b/e',
    's/a/b/w x',
    's/a/b/gw x',
    's/[/]/e;s/x/y/',
    's/a\\\n/b/',
    's/\\\\[/x/;e x/]/',
    'p w x',
    '{p',
    'p}',
    '1,p',
    'a text',
    ':x',
    'v',
    'p;;e x',
    '/x/,/y/!e x',
    '\\,x,p',
    's\na\nb\n',
  ])('PM-46: %j may do more', (script) => {
    expect(onlyPrintsSed(script)).toBe(false);
  });
});

describe('scripts of awk', () => {
  it.each([
    '{print $1}',
    'NR==1',
    'NR>=1 && NR<=5',
    '$1 > 5 {print $2}',
    '!seen[$0]++',
    '/a|b/ {n++} END {print n}',
    '{print ($1 > 5)}',
    '{print ($1+$2)/2}',
    'BEGIN {FS=","} {gsub(/a/, "b"); print}',
    '{if (NR > 1 || $2 ~ /x/) print length($0)}',
    '{printf "%s > %s | %s\\n", $1, "system(x)", $3}',
    '# system("x")\n{print}',
  ])('PM-46: %j only prints', (script) => {
    expect(onlyPrintsAwk(script)).toBe(true);
  });

  it.each([
    '{print > "x"}',
    '{print(1) > "x"}',
    '{print 1,\n2 > "x"}',
    '{print >> "x"}',
    '{x = 1 >> 2}',
    '{print | "x"}',
    '{"x" | getline}',
    '{getline < "x"}',
    '{system("x")}',
    '{system ("x")}',
    '{f("x")}',
    'function f() {}',
    '@load "x"',
    '{@f("x")}',
    '{print ENVIRON["x"]}',
    'BEGIN {ARGV[1] = "x"}',
    '/[/]/ {} {print > "]/"}',
    '{x = 4 / 2; print 1 > "/"}',
    '{x = y /1; z = "/" | "x"}',
    '(x) /a/ {print | "b/"}',
    '{print "a\nb"}',
    '{print \\\n> "x"}',
  ])('PM-46: %j may do more', (script) => {
    expect(onlyPrintsAwk(script)).toBe(false);
  });

  it('PM-46: long scripts are read in time that grows with their length', () => {
    const start = process.cpuUsage();
    for (const part of ['s/a/b/;', '/[/', '{', '1,', '# \n', 'p;']) onlyPrintsSed(part.repeat(3000));
    for (const part of ['{print $1}', '/a/', '"', '(', 'x > y;', '# \n']) onlyPrintsAwk(part.repeat(3000));
    const { user, system } = process.cpuUsage(start);
    expect(user + system).toBeLessThan(2_000_000);
  });
});
