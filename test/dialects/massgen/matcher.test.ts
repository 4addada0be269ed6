/** Matchers of MassGen files, held against Python's own fnmatch. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { massgen } from '../../../src/dialects/massgen/index.js';
import { processorMs } from '../../support/processor-time.js';
import { refusalOf } from '../../support/runner.js';
import { hasPython } from './support.js';

const matches = (pattern: string, name: string): boolean => massgen.compileMatcher(pattern)(name);

test('MG-12 names are exact and case-sensitive, and wildcards span everything', () => {
  expect(matches('Write', 'Write')).toBe(true);
  expect(matches('Write', 'write')).toBe(false);
  expect(matches('write*', 'WriteFile')).toBe(false);
  expect(matches('mcp__*', 'mcp__files/read.all')).toBe(true);
  expect(matches('*update_task_status', 'mcp__planning__update_task_status')).toBe(true);
  expect(matches('Rea?', 'Read')).toBe(true);
  expect(matches('Rea?', 'Rea')).toBe(false);
  expect(matches('*', '')).toBe(true);
});

test('MG-12 sets are those of fnmatch: `!` negates, `^` and the backslash are characters', () => {
  expect(matches('[RW]*', 'Write')).toBe(true);
  expect(matches('[!RW]*', 'Write')).toBe(false);
  expect(matches('[!RW]*', 'Edit')).toBe(true);
  expect(matches('[^R]ead', '^ead')).toBe(true);
  expect(matches('[^R]ead', 'Xead')).toBe(false);
  expect(matches('a\\*', 'a\\b')).toBe(true);
  expect(matches('a[b', 'a[b')).toBe(true);
  expect(matches('{a,b}', 'a')).toBe(false);
});

test('MG-12 a range that ends before it begins is left out, and what is first then may negate the set', () => {
  expect(matches('[z-a]', 'z')).toBe(false);
  expect(matches('[z-am]', 'm')).toBe(true);
  expect(matches('[z-a!]', 'q')).toBe(true);
  expect(matches('[z-a!q]', 'q')).toBe(false);
  expect(matches('[z-a!-q]', '-')).toBe(false);
  expect(matches('[z-ac-b!x]', 'a')).toBe(true);
});

test('MG-12 `|` separates alternatives, white space around them and empty ones do not count', () => {
  expect(matches('Write | Edit', 'Edit')).toBe(true);
  expect(matches('|Write||Edit|', 'Write')).toBe(true);
  expect(matches('|Write||Edit|', '')).toBe(false);
});

test('MG-13 a matcher that names no tool is refused instead of matching nothing', async () => {
  for (const pattern of ['|', '   ', ' | | ']) {
    const refusal = await refusalOf(() => massgen.compileMatcher(pattern));
    expect(refusal.code).toBe('invalid_matcher');
    expect(refusal.message).toContain('leave it out');
  }
  expect((await refusalOf(() => massgen.compileMatcher('x'.repeat(1025)))).code).toBe('invalid_matcher');
});

test.skipIf(!hasPython)('MG-12 every pattern matches what Python matches', () => {
  const letters = fc.constantFrom(
    'a',
    'b',
    'c',
    'A',
    '_',
    '-',
    '!',
    '^',
    '[',
    ']',
    '*',
    '?',
    '\\',
    '.',
    '😀',
    'é',
  );
  const text = fc.array(letters, { maxLength: 8 }).map((list) => list.join(''));
  const set = fc
    .tuple(fc.constantFrom('[', '[!'), text, fc.constant(']'), text)
    .map((parts) => parts.join(''));
  const pairs = fc
    .sample(fc.tuple(fc.oneof(text, set), text), 20_000)
    .filter(([pattern]) => pattern.trim() !== '');
  const program =
    'import fnmatch, json, sys\nprint(json.dumps([fnmatch.fnmatchcase(n, p) for p, n in json.load(sys.stdin)]))';
  const { stdout, stderr } = spawnSync('python3', ['-c', program], { input: JSON.stringify(pairs) });
  expect(stderr.toString()).toBe('');
  const expected: boolean[] = JSON.parse(stdout.toString());
  const wrong = pairs.filter(([pattern, name], index) => matches(pattern, name) !== expected[index]);
  expect(wrong).toEqual([]);
  expect(expected.filter(Boolean).length).toBeGreaterThan(50);
});

test('MG-12 no pattern takes long, whatever the name', () => {
  const started = processorMs();
  expect(matches('*a'.repeat(500), `${'a'.repeat(20_000)}b`)).toBe(false);
  expect(processorMs() - started).toBeLessThan(2000);
});
