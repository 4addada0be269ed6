import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { editTool } from '../../../src/agent/tools/edit.js';
import { writeWhole } from '../../../src/agent/tools/files.js';
import { makePatch } from '../../../src/agent/tools/patch.js';
import { readTool } from '../../../src/agent/tools/read.js';
import { runTool } from '../../../src/agent/tools/run-tool.js';
import { writeTool } from '../../../src/agent/tools/write.js';
import { processorMs } from '../../support/processor-time.js';
import { failed, succeeded, useBench } from './bench.js';

const bench = useBench();
const read = (input: object) => bench.run(readTool, input);
const write = (file_path: string, content: string) => bench.run(writeTool, { file_path, content });
const edit = (old_string: string, new_string: string, more: object = {}) =>
  bench.run(editTool, { file_path: 'f.txt', old_string, new_string, ...more });
const numbers = (count: number): string =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n');

describe('Read', () => {
  it('TO-10: gives numbered lines, and hooks the text', async () => {
    const path = bench.write('hello.txt', 'hello\r\nworld\n');
    const { content, response } = succeeded(await read({ file_path: path }));
    expect(content).toBe('1\thello\n2\tworld\n3\t');
    expect(response).toEqual({
      type: 'text',
      file: { filePath: path, content: 'hello\r\nworld\n', numLines: 3, startLine: 1, totalLines: 3 },
    });
  });

  it('TO-10: a part of the file, and where it goes on', async () => {
    bench.write('n.txt', numbers(10));
    const { content, response } = succeeded(await read({ file_path: 'n.txt', offset: 4, limit: 2 }));
    expect(content).toBe('4\tline 4\n5\tline 5\n[5 more lines: continue with offset 6]');
    expect(response).toMatchObject({ file: { numLines: 2, startLine: 4, totalLines: 10 } });
    const last = succeeded(await read({ file_path: 'n.txt', offset: 10 }));
    expect(last.content).toBe('10\tline 10');
  });

  it('TO-10: stops after 2000 lines and cuts endless ones', async () => {
    bench.write('n.txt', numbers(2500));
    expect(succeeded(await read({ file_path: 'n.txt' })).content).toMatch(
      /2000\tline 2000\n\[500 more lines/,
    );
    bench.write('wide.txt', 'x'.repeat(5000));
    expect(succeeded(await read({ file_path: 'wide.txt' })).content).toMatch(
      /3000 more characters in this line/,
    );
  });

  it('TO-10: an empty file is said to be empty', async () => {
    bench.write('empty', '');
    const { content, response } = succeeded(await read({ file_path: 'empty' }));
    expect(content).toMatch(/empty/);
    expect(response).toMatchObject({ file: { numLines: 0, totalLines: 0, content: '' } });
  });

  it('TO-9: ~ is the home directory, and what is no path is an error', async () => {
    vi.stubEnv('HOME', bench.path('home'));
    onTestFinished(() => void vi.unstubAllEnvs());
    succeeded(await bench.run(writeTool, { file_path: '~/a.txt', content: 'A' }));
    expect(bench.read('home/a.txt')).toBe('A');
    bench.write('b.txt', 'B');
    expect(succeeded(await bench.run(readTool, { file_path: '~/../b.txt' })).content).toContain('B');
    for (const file_path of ['~bob/a.txt', 'a\0b', ''])
      expect(failed(await bench.run(readTool, { file_path })).error).toMatch(/file_path is /);
    bench.write('~bob', 'odd');
    expect(succeeded(await bench.run(readTool, { file_path: './~bob' })).content).toContain('odd');
  });

  it('TO-9: relative paths start at the working directory, wherever it is now', async () => {
    bench.write('sub/f.txt', 'here');
    bench.cwd = bench.path('sub');
    expect(succeeded(await read({ file_path: 'f.txt' })).content).toBe('1\there');
    expect(succeeded(await read({ file_path: '../sub/f.txt' })).response).toMatchObject({
      file: { filePath: bench.path('sub/f.txt') },
    });
  });

  it('TO-11: what cannot be read is refused with a reason', async () => {
    bench.write('binary', new Uint8Array([65, 0, 66]));
    bench.write('large.txt', 'x\n'.repeat(200_000));
    bench.write('huge.txt', 'x'.repeat(11_000_000));
    bench.write('short.txt', 'one');
    execFileSync('mkfifo', [bench.path('pipe')]);
    const errorOf = async (input: object): Promise<string> => failed(await read(input)).error;
    expect(await errorOf({ file_path: 'nope.txt' })).toBe(
      `${bench.path('nope.txt')} does not exist. The working directory is ${bench.dir}.`,
    );
    expect(await errorOf({ file_path: '.' })).toMatch(/is a directory/);
    expect(await errorOf({ file_path: 'pipe' })).toMatch(/not a regular file/);
    expect(await errorOf({ file_path: 'binary' })).toMatch(/binary file/);
    expect(await errorOf({ file_path: 'large.txt' })).toMatch(/Give offset and limit/);
    expect(await errorOf({ file_path: 'huge.txt', offset: 1 })).toMatch(/more than 10485760.*Bash/);
    expect(await errorOf({ file_path: 'short.txt', offset: 5 })).toMatch(/has 1 lines/);
    expect(await errorOf({ file_path: 'short.txt/x' })).toMatch(/part of the path is a file/);
    expect(await errorOf({ path: 'short.txt' })).toMatch(/file_path/);
    expect(succeeded(await read({ file_path: 'large.txt', offset: 199_000, limit: 1 })).content).toMatch(
      /^199000\tx/,
    );
  });

  it.each([
    ['image/png', Buffer.from('89504e470d0a1a0a00', 'hex')],
    ['image/jpeg', Buffer.from('ffd8ffe000', 'hex')],
    ['image/gif', Buffer.from('GIF89a\0')],
    ['image/webp', Buffer.from('RIFF\0\0\0\0WEBP')],
  ])('TO-12: %s is shown, whatever the file is called', async (type, bytes) => {
    bench.write('picture.txt', bytes);
    const data = bytes.toString('base64');
    expect(succeeded(await read({ file_path: 'picture.txt' }))).toEqual({
      ok: true,
      content: [{ type: 'image', source: { type: 'base64', media_type: type, data } }],
      response: { type: 'image', file: { base64: data, type, originalSize: bytes.length } },
    });
  });
});

describe('Write', () => {
  it('TO-13: makes a file and the directories to it', async () => {
    const path = bench.path('a/b/c.txt');
    expect(succeeded(await write('a/b/c.txt', 'new\n')).response).toEqual({
      type: 'create',
      filePath: path,
      content: 'new\n',
      structuredPatch: [],
      originalFile: null,
      userModified: false,
    });
    expect(bench.read('a/b/c.txt')).toBe('new\n');
  });

  it('TO-13: replaces a file and shows what it held', async () => {
    bench.write('f.txt', 'one\ntwo\n');
    expect(succeeded(await write('f.txt', 'one\nTWO\n')).response).toMatchObject({
      type: 'update',
      originalFile: 'one\ntwo\n',
      structuredPatch: [
        { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [' one', '-two', '+TWO'] },
      ],
    });
    bench.write('f.bin', new Uint8Array([255, 254]));
    expect(succeeded(await write('f.bin', 'text')).response).toMatchObject({
      type: 'update',
      originalFile: null,
    });
  });

  it('TO-14: a link stays a link, a mode stays a mode, no draft is left', async () => {
    chmodSync(bench.write('real.sh', 'old'), 0o751);
    symlinkSync('real.sh', bench.path('link.sh'));
    succeeded(await write('link.sh', 'new'));
    expect(lstatSync(bench.path('link.sh')).isSymbolicLink()).toBe(true);
    expect(bench.read('real.sh')).toBe('new');
    expect(statSync(bench.path('real.sh')).mode & 0o777).toBe(0o751);
    expect(readdirSync(bench.dir).sort()).toEqual(['link.sh', 'real.sh']);
  });

  it('TO-14: directories and devices are refused', async () => {
    expect(failed(await write('.', 'x')).error).toMatch(/is a directory/);
    expect(failed(await write('/dev/null', 'x')).error).toMatch(/not a regular file/);
    bench.write('file', '');
    expect(failed(await write('file/below', 'x')).error).toMatch(/part of the path is a file/);
  });

  it('TO-14: a write that fails at the last step leaves no draft', async () => {
    bench.write('taken/f', '');
    await expect(writeWhole(bench.path('taken'), 'x', bench.controller.signal)).rejects.toThrow();
    expect(readdirSync(bench.dir)).toEqual(['taken']);
  });

  it('TO-14: an abort leaves the old content and no draft', async () => {
    bench.write('f.txt', 'old');
    const context = { ...bench.context(), signal: AbortSignal.abort() };
    await expect(
      Promise.resolve(writeTool.run({ file_path: 'f.txt', content: 'new' }, context)),
    ).rejects.toThrow();
    await expect(
      Promise.resolve(editTool.run({ file_path: 'f.txt', old_string: 'old', new_string: 'new' }, context)),
    ).rejects.toThrow();
    expect(bench.read('f.txt')).toBe('old');
    expect(readdirSync(bench.dir)).toEqual(['f.txt']);
  });

  it.each([readTool, writeTool, editTool])(
    'TO-5: $name that is aborted before it looks is interrupted',
    async (tool) => {
      bench.write('f.txt', 'old');
      const inputs: Record<string, object> = {
        Read: {},
        Write: { content: 'new' },
        Edit: { old_string: 'old', new_string: 'new' },
      };
      const run = runTool(tool, { file_path: 'f.txt', ...inputs[tool.name] }, bench.context());
      bench.controller.abort();
      expect(failed(await run).interrupted).toBe(true);
      expect(bench.read('f.txt')).toBe('old');
    },
  );
});

describe('Edit', () => {
  it('TO-15: replaces the one occurrence and shows the difference', async () => {
    const path = bench.write('f.txt', 'a\nb\nc\n');
    const { content, response } = succeeded(await edit('b', 'B$&'));
    expect(bench.read('f.txt')).toBe('a\nB$&\nc\n');
    expect(content).toMatch(/one occurrence/);
    expect(response).toEqual({
      filePath: path,
      oldString: 'b',
      newString: 'B$&',
      originalFile: 'a\nb\nc\n',
      structuredPatch: [
        { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' a', '-b', '+B$&', ' c'] },
      ],
      userModified: false,
      replaceAll: false,
    });
  });

  it('TO-15: replaces every occurrence when told to', async () => {
    bench.write('f.txt', 'x.x.x');
    expect(succeeded(await edit('x', 'yy', { replace_all: true })).content).toMatch(/3 occurrences/);
    expect(bench.read('f.txt')).toBe('yy.yy.yy');
  });

  it.each([
    ['missing', 'z', 'y', /does not occur.*Read the file again/s],
    ['found twice', 'x', 'y', /occurs 2 times.*replace_all/s],
    ['empty', '', 'y', /old_string is empty/],
    ['the same', 'x', 'x', /nothing to do/],
  ])('TO-16: nothing changes when the text is %s', async (_, old, fresh, message) => {
    bench.write('f.txt', 'x and x');
    expect(failed(await edit(old, fresh)).error).toMatch(message);
    expect(bench.read('f.txt')).toBe('x and x');
  });

  it('TO-16: a file that is not there cannot be edited', async () => {
    expect(failed(await edit('a', 'b')).error).toMatch(/f\.txt does not exist/);
  });

  it('TO-17: byte order marks and carriage returns stay', async () => {
    bench.write('f.txt', '\ufeffone\r\ntwo\r\nthree\r\n');
    succeeded(await edit('one\ntwo', 'ONE\nTWO\nmore'));
    expect(bench.read('f.txt')).toBe('\ufeffONE\r\nTWO\r\nmore\r\nthree\r\n');
  });

  it('TO-17: what is not UTF-8 is left alone', async () => {
    bench.write('f.txt', Buffer.from('caf\xe9', 'latin1'));
    expect(failed(await edit('caf', 'tea')).error).toMatch(/not UTF-8/);
    expect(readFileSync(bench.path('f.txt'), 'latin1')).toBe('caf\xe9');
  });
});

describe('a patch', () => {
  it('TO-18: three lines around what differs', () => {
    const before = `${numbers(10)}\n`;
    expect(makePatch(before, before.replace('line 5\n', 'five\nfive b\n'))).toEqual([
      {
        oldStart: 2,
        oldLines: 7,
        newStart: 2,
        newLines: 8,
        lines: [
          ' line 2',
          ' line 3',
          ' line 4',
          '-line 5',
          '+five',
          '+five b',
          ' line 6',
          ' line 7',
          ' line 8',
        ],
      },
    ]);
  });

  it('TO-18: what differs in two places is two hunks', () => {
    const before = `${numbers(20)}\n`;
    const after = before.replace('line 2\n', 'two\n').replace('line 19\n', '');
    expect(makePatch(before, after)).toMatchObject([
      { oldStart: 1, oldLines: 5, newStart: 1, newLines: 5 },
      { oldStart: 16, oldLines: 5, newStart: 16, newLines: 4 },
    ]);
  });

  it('TO-18: a very large difference is one hunk, soon', () => {
    const [before, after] = [`${numbers(20_000)}\n`, numbers(20_000).replaceAll('line', 'LINE')];
    const began = processorMs();
    const [hunk, ...more] = makePatch(before, after);
    expect(processorMs() - began).toBeLessThan(2000);
    expect(more).toEqual([]);
    expect(hunk).toMatchObject({ oldStart: 1, oldLines: 20_000, newStart: 1, newLines: 20_000 });
    expect(hunk?.lines).toHaveLength(40_001);
    expect(hunk?.lines.at(-1)).toBe('\\ No newline at end of file');
  });

  it('TO-18: a line feed at the end that is missing is a difference; no difference is no hunk', () => {
    expect(makePatch('a\n', 'a')).toMatchObject([{ lines: ['-a', '+a', '\\ No newline at end of file'] }]);
    expect(makePatch('a', 'a')).toEqual([]);
    expect(makePatch('a\n', '')).toMatchObject([{ lines: ['-a'], newLines: 0 }]);
  });
});
