import { symlinkSync, truncateSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { globTool } from '../../../src/agent/tools/glob.js';
import { grepTool } from '../../../src/agent/tools/grep.js';
import { compileScan } from '../../../src/agent/tools/line-scan.js';
import { failed, succeeded, useBench } from './bench.js';

const bench = useBench();
const glob = (input: object) => bench.run(globTool, input);
const grep = (input: object) => bench.run(grepTool, input);

/** The later in the list, the newer. */
function files(...names: readonly string[]): void {
  names.forEach((name, i) => {
    const path = bench.write(name, `${name} says TODO\n`);
    utimesSync(path, 1000 + i, 1000 + i);
  });
}

describe('Glob', () => {
  it('TO-19: finds files below, the newest first', async () => {
    files('a.ts', 'src/b.ts', 'src/deep/c.ts', 'src/.hidden.ts', 'src/d.js');
    const { content, response } = succeeded(await glob({ pattern: '**/*.ts' }));
    const filenames = ['src/.hidden.ts', 'src/deep/c.ts', 'src/b.ts', 'a.ts'].map(bench.path);
    expect(response).toEqual({ filenames, numFiles: 4, truncated: false, durationMs: expect.any(Number) });
    expect(content).toBe(filenames.join('\n'));
  });

  it('TO-19: a star stays in its directory, braces are alternatives, path says where', async () => {
    files('a.ts', 'src/b.ts', 'src/b.js', 'src/b.md');
    const found = async (input: object): Promise<unknown> => succeeded(await glob(input)).response;
    expect(await found({ pattern: '*.ts' })).toMatchObject({ filenames: [bench.path('a.ts')] });
    expect(await found({ pattern: './*.{ts,js}', path: 'src' })).toMatchObject({
      filenames: [bench.path('src/b.js'), bench.path('src/b.ts')],
    });
    expect(await found({ pattern: `${bench.dir}/s*/*.md` })).toMatchObject({
      filenames: [bench.path('src/b.md')],
    });
    expect(await found({ pattern: bench.path('a.ts') })).toMatchObject({ filenames: [bench.path('a.ts')] });
  });

  it('TO-19: .git, node_modules and links to directories are passed over, unless one starts inside', async () => {
    files('.git/x.ts', 'node_modules/p/x.ts', 'real/x.ts');
    symlinkSync('..', bench.path('real/loop'));
    expect(succeeded(await glob({ pattern: '**/*.ts' })).content).toBe(bench.path('real/x.ts'));
    expect(succeeded(await glob({ pattern: '*.ts', path: 'node_modules/p' })).content).toMatch(/p\/x\.ts$/);
  });

  it('TO-19: shows at most a hundred and says how many more', async () => {
    for (let i = 0; i < 103; i++) bench.write(`f${i}`, '');
    const { content, response } = succeeded(await glob({ pattern: '*' }));
    expect(response).toMatchObject({ numFiles: 100, truncated: true });
    expect(content).toMatch(/\n\[3 more files/);
    expect(succeeded(await glob({ pattern: '*.none' })).content).toBe('No files found.');
  });

  it('TO-23: a place that is not there, a file as a place, and a monstrous pattern are errors', async () => {
    files('a.ts');
    expect(failed(await glob({ pattern: '*', path: 'nope' })).error).toContain(
      `${bench.path('nope')} does not exist`,
    );
    expect(failed(await glob({ pattern: '*', path: 'a.ts' })).error).toMatch(/is a file/);
    expect(failed(await glob({ pattern: '*'.repeat(2000) })).error).toMatch(/longer than/);
    expect(succeeded(await glob({ pattern: '{a,b}'.repeat(30) })).content).toBe('No files found.');
  });

  it.each([globTool, grepTool])('TO-5: an abort interrupts $name', async (tool) => {
    files('a.ts');
    const run = bench.run(tool, { pattern: 'a.*' });
    bench.controller.abort();
    expect(failed(await run).interrupted).toBe(true);
  });
});

describe('Grep', () => {
  it('TO-20: files with matches, the newest first', async () => {
    files('old.ts', 'sub/new.md');
    const { content, response } = succeeded(await grep({ pattern: 'says \\w+' }));
    expect(content).toBe('sub/new.md\nold.ts');
    expect(response).toEqual({
      mode: 'files_with_matches',
      numFiles: 2,
      filenames: ['sub/new.md', 'old.ts'],
    });
  });

  it('TO-20: lines with their numbers, and lines around them', async () => {
    bench.write('f.txt', 'one\ntwo\nHIT\nfour\nfive\nsix\nseven\nHIT 2\n');
    const lines = async (more: object): Promise<unknown> =>
      succeeded(await grep({ pattern: 'HIT', output_mode: 'content', ...more })).content;
    expect(await lines({})).toBe('f.txt:3:HIT\nf.txt:8:HIT 2');
    expect(await lines({ '-n': false })).toBe('f.txt:HIT\nf.txt:HIT 2');
    expect(await lines({ '-C': 1 })).toBe(
      'f.txt-2-two\nf.txt:3:HIT\nf.txt-4-four\n--\nf.txt-7-seven\nf.txt:8:HIT 2',
    );
    expect(await lines({ '-A': 1, '-B': 0 })).toBe('f.txt:3:HIT\nf.txt-4-four\n--\nf.txt:8:HIT 2');
    expect(await lines({ '-C': 4 })).toBe(
      'f.txt-1-one\nf.txt-2-two\nf.txt:3:HIT\nf.txt-4-four\nf.txt-5-five\nf.txt-6-six\nf.txt-7-seven\nf.txt:8:HIT 2',
    );
  });

  it('TO-20: counts, upper and lower case, globs, a single file, a limit', async () => {
    bench.write('a.ts', 'x\nX\n');
    bench.write('sub/b.md', 'x\n');
    const content = async (input: object): Promise<unknown> => succeeded(await grep(input)).content;
    const { response } = succeeded(
      await grep({ pattern: 'x', '-i': true, output_mode: 'count', glob: '*.ts' }),
    );
    expect(response).toEqual({
      mode: 'count',
      numFiles: 1,
      filenames: ['a.ts'],
      content: 'a.ts:2',
      numMatches: 2,
    });
    expect(await content({ pattern: 'x', glob: '*.md' })).toBe('sub/b.md');
    expect(await content({ pattern: 'x', glob: 'sub/*' })).toBe('sub/b.md');
    expect(await content({ pattern: 'X', path: 'a.ts', output_mode: 'content' })).toBe('a.ts:2:X');
    expect(await content({ pattern: 'x', '-i': true, output_mode: 'content', head_limit: 1 })).toMatch(
      /^a\.ts:1:x\n\[2 more/,
    );
    expect(await content({ pattern: 'nowhere' })).toBe('No matches found.');
  });

  it('TO-21: patterns that are broken or repeat repetitions are refused', async () => {
    files('a.ts');
    expect(failed(await grep({ pattern: '(' })).error).toMatch(/not a valid regular expression/);
    expect(failed(await grep({ pattern: '(a+)+$' })).error).toMatch(/forever/);
    expect(failed(await grep({ pattern: 'a'.repeat(1001) })).error).toMatch(/longer than/);
  });

  it('TO-21: a pattern that is slow in another way is stopped', async () => {
    bench.write('slow.txt', 'a'.repeat(19_000));
    const at = performance.now();
    const { error } = failed(await grep({ pattern: 'a*a*a*a*a*b' }));
    expect(error).toMatch(/takes too long on the lines of .*slow\.txt/);
    expect(performance.now() - at).toBeLessThan(15_000);
  });

  it('TO-21: large files are scanned in pieces between which others get their turn', async () => {
    const scan = compileScan('7$', false);
    if (typeof scan === 'string') expect.fail(scan);
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    const lines = Array.from({ length: 50_000 }, (_, i) => String(i));
    expect((await scan(lines, new AbortController().signal))?.length).toBe(5000);
    clearInterval(count);
    expect(turns).toBeGreaterThan(0);
  });

  it('TO-22: links are passed over, so that nothing from elsewhere is found', async () => {
    bench.write('inside/a.txt', 'needle');
    bench.write('outside/b.txt', 'needle');
    symlinkSync('../outside/b.txt', bench.path('inside/b.txt'));
    expect(succeeded(await grep({ pattern: 'needle', path: 'inside' })).content).toContain('a.txt');
    expect(succeeded(await grep({ pattern: 'needle', path: 'inside' })).content).not.toContain('b.txt');
  });

  it('TO-22: binary and large files are passed over', async () => {
    bench.write('b.bin', 'TODO\0');
    truncateSync(bench.write('large.txt', 'TODO'), 11_000_000);
    files('t.txt');
    expect(succeeded(await grep({ pattern: 'TODO' })).content).toMatch(/^t\.txt\n\[not searched.*: 1 file/);
  });

  it('TO-23: a place that is not there is an error', async () => {
    expect(failed(await grep({ pattern: 'x', path: 'nope' })).error).toMatch(/nope does not exist/);
  });
});
