/** What happens when lines cannot come into the file. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { MAX_LINE } from '../../../src/agent/transcript/line.js';
import { readTranscript } from '../../../src/agent/transcript/read-transcript.js';
import { assistantSays, deskTest, gave, messagesIn, said, texts, used, userSays } from './support.js';
import { writer } from './writer.js';

describe('what cannot be written', () => {
  deskTest('TS-11: is told once, and the agent goes on', async (desk) => {
    writeFileSync(join(desk.directory, 'sessions'), 'a file where the directory should be');
    const transcript = await desk.open();
    for (const text of ['a', 'b', 'c']) await transcript.append(userSays(said(text)));
    await transcript.close();
    expect(desk.complaints).toHaveLength(1);
    expect(desk.complaints[0]).toContain(desk.path);
    expect(desk.complaints[0]).toMatch(/ENOTDIR|EEXIST/);
  });

  deskTest(
    'TS-11: is missing alone: later lines are written, and no line names it as its parent',
    async (desk) => {
      const transcript = await desk.open();
      await transcript.append(userSays(said('a')));
      const content = readFileSync(desk.path);
      unlinkSync(desk.path);
      mkdirSync(desk.path);
      await transcript.append(assistantSays(said('lost')));
      rmSync(desk.path, { recursive: true });
      writeFileSync(desk.path, content);
      await transcript.append(userSays(said('c')));
      const [first, second] = desk.lines();
      expect(await texts(desk.path)).toEqual(['a', 'c']);
      expect(second?.parentUuid).toBe(first?.uuid);
      expect(desk.complaints).toEqual([expect.stringContaining('EISDIR')]);
    },
  );

  deskTest('TS-11: a disk that is full is a reason like others', async (desk) => {
    const { stdout, exitCode } = await writer(desk.path, 'big', 20, 10_000, '64');
    expect(exitCode).toBe(0);
    const [open, ...others] = stdout.split('\n');
    expect(open).toBe('open');
    expect(others.pop()).toBe('closed');
    expect(others.length).toBeGreaterThan(0);
    expect(others.length).toBeLessThanOrEqual(2);
    expect(others[0]).toMatch(/only \d+ of \d+ bytes could be written/);
    await desk.write(userSays(said('there is room again')));
    const messages = await messagesIn(desk);
    expect(messages.at(-1)?.content.at(-1)).toEqual(said('there is room again'));
  });

  deskTest('TS-11: what is not JSON data costs its own line only', async (desk) => {
    const transcript = await desk.open();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await transcript.append({ type: 'user', content: [gave('t1')], toolUseResults: { t1: circle } });
    await transcript.append(assistantSays(used('t2', { count: 1n })));
    await transcript.append(userSays(said('c')));
    expect(await texts(desk.path)).toEqual(['c']);
    expect(desk.complaints).toEqual([expect.stringContaining('a line of type user')]);
  });

  deskTest('TS-11: a listener that throws does no harm, and is told again', async (desk) => {
    writeFileSync(join(desk.directory, 'sessions'), '');
    let calls = 0;
    const transcript = await desk.open({
      onProblem: () => {
        calls += 1;
        if (calls === 1) throw new Error('from the listener');
      },
    });
    for (const text of ['a', 'b', 'c']) await transcript.append(userSays(said(text)));
    expect(calls).toBe(2);
  });

  deskTest('TS-11: after closing nothing is written, and that is told', async (desk) => {
    const transcript = await desk.open();
    void transcript.append(userSays(said('a')));
    await transcript.close();
    await transcript.append(userSays(said('b')));
    expect(await texts(desk.path)).toEqual(['a']);
    expect(desk.complaints).toEqual([expect.stringContaining('it has been closed')]);
  });

  deskTest(
    'TS-12: a link in place of the file is not followed, neither to write nor to read',
    async (desk) => {
      const outside = join(desk.directory, 'outside.jsonl');
      await desk.write(userSays(said('a')));
      writeFileSync(outside, desk.text());
      unlinkSync(desk.path);
      symlinkSync(outside, desk.path);
      const before = readFileSync(outside, 'utf8');
      await desk.write(userSays(said('b')));
      expect(readFileSync(outside, 'utf8')).toBe(before);
      expect(desk.complaints).toEqual([expect.stringContaining('ELOOP')]);
      const { messages, problems } = await readTranscript(desk.path);
      expect(messages).toEqual([]);
      expect(problems).toEqual([expect.stringContaining('ELOOP')]);
    },
  );

  deskTest('TS-12: a link that is put there while the session runs is not followed either', async (desk) => {
    const outside = join(desk.directory, 'outside');
    const transcript = await desk.open();
    await transcript.append(userSays(said('a')));
    unlinkSync(desk.path);
    symlinkSync(outside, desk.path);
    await transcript.append(userSays(said('b')));
    expect(existsSync(outside)).toBe(false);
    expect(desk.complaints).toHaveLength(1);
  });

  deskTest('TS-12: a pipe in place of the file is refused, and not waited for', async (desk) => {
    mkdirSync(dirname(desk.path));
    execFileSync('mkfifo', [desk.path]);
    await desk.write(userSays(said('a')));
    expect(desk.complaints).toEqual([expect.stringContaining('not a regular file')]);
    expect((await readTranscript(desk.path)).problems).toEqual([
      expect.stringContaining('not a regular file'),
    ]);
  });

  deskTest(
    'TS-13: a line that would be too long to read is written without what hooks saw, or not at all',
    async (desk) => {
      const long = 'x'.repeat(MAX_LINE);
      await desk.write(
        assistantSays(used('t1')),
        { type: 'user', content: [gave('t1')], toolUseResults: { t1: { stdout: long } } },
        userSays(said(long)),
        assistantSays(said('b')),
      );
      const lines = desk.lines();
      expect(lines.map(({ type }) => type)).toEqual(['assistant', 'user', 'assistant']);
      expect(lines[1]).not.toHaveProperty('toolUseResult');
      expect(desk.complaints).toEqual([expect.stringContaining(`longer than ${MAX_LINE} bytes`)]);
    },
  );
});
