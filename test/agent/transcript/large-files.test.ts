/** Files and lines of any size. */
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { readTranscript } from '../../../src/agent/transcript/read-transcript.js';
import { compileProgram } from '../../support/compile-program.js';
import { assistantSays, deskTest, messagesIn, put, said, theirs, user, userSays } from './support.js';

const PROGRAM = await compileProgram(new URL('fixtures/print-transcript.ts', import.meta.url));

describe('large files', () => {
  deskTest('TS-23: a line that is too long is left out and told; the others are read', async (desk) => {
    await desk.write(userSays(said('a')), assistantSays(said('x'.repeat(700_000))), userSays(said('b')));
    const { messages, problems, lines } = await readTranscript(desk.path, { maxLineBytes: 600_000 });
    expect(messages).toEqual([user(said('a'), said('b'))]);
    expect(problems).toEqual(['Line 2 was left out: it is longer than 600000 bytes.']);
    expect(lines).toBe(3);
  });

  deskTest('TS-23: the bound is exact, also for a last line that has no end', async (desk) => {
    const line = JSON.stringify(theirs('user', 'x'.repeat(300_000)));
    put(desk, line, line);
    writeFileSync(desk.path, line, { flag: 'a' });
    const atBound = await readTranscript(desk.path, { maxLineBytes: line.length });
    expect(atBound).toMatchObject({ lines: 3, problems: [] });
    const above = await readTranscript(desk.path, { maxLineBytes: line.length - 1 });
    expect(above.problems).toHaveLength(3);
    expect(above.messages).toEqual([]);
  });

  deskTest('TS-23: characters that lie across the pieces of a file stay whole', async (desk) => {
    const texts = Array.from({ length: 40 }, (_, i) => '🦜é'.repeat(10_000 + i));
    await desk.write(...texts.map((text) => userSays(said(text))));
    expect(await messagesIn(desk)).toEqual([user(...texts.map(said))]);
  });

  deskTest('TS-23: a line that does not end takes no more memory than the bound', async (desk) => {
    const size = 512 * 1024 * 1024;
    await desk.write(userSays(said('a')));
    // A file with a hole: it takes no room, and reads as zeros.
    truncateSync(desk.path, size);
    const { stdout } = await execa(process.execPath, [PROGRAM, desk.path]);
    const { read, memory } = JSON.parse(stdout);
    expect(read.messages).toEqual([user(said('a'))]);
    expect(read.problems).toEqual(['Line 2 was left out: it is longer than 67108864 bytes.']);
    expect(memory * 1024).toBeLessThan(size / 2);
  });

  deskTest('TS-23: what came before a compaction is not kept in memory', async (desk) => {
    const line = `${JSON.stringify(theirs('assistant', [said('x'.repeat(1_000_000))]))}\n`;
    const summary = JSON.stringify(theirs('user', 'in short', { isCompactSummary: true }));
    put(desk, `${line.repeat(10)}${summary}`);
    for (let i = 0; i < 11; i++) appendFileSync(desk.path, `${line.repeat(10)}${summary}\n`);
    // Less memory than the file has bytes.
    const args = ['--max-old-space-size=64', PROGRAM, desk.path];
    const { stdout } = await execa(process.execPath, args);
    expect(JSON.parse(stdout).read).toEqual({ messages: [user(said('in short'))], lines: 132, problems: [] });
  });
});
