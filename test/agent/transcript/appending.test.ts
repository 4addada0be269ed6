/** How lines come into the file. */
import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect } from 'vitest';
import { readTranscript } from '../../../src/agent/transcript/read-transcript.js';
import { until } from '../../support/process-harness.js';
import { assistantSays, deskTest, expectSound, said, texts, used, userSays } from './support.js';
import { writer } from './writer.js';

describe('the file', () => {
  deskTest('TS-8: is there once the transcript is open, for this user alone', async (desk) => {
    const mask = process.umask(0);
    try {
      await desk.open();
    } finally {
      process.umask(mask);
    }
    expect(statSync(desk.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(desk.path)).mode & 0o777).toBe(0o700);
    expect(desk.text()).toBe('');
  });

  deskTest('TS-8: is made anew when it was removed, with its directory', async (desk) => {
    const transcript = await desk.open();
    await transcript.append(userSays(said('a')));
    rmSync(dirname(desk.path), { recursive: true });
    await transcript.append(userSays(said('b')));
    expect(await texts(desk.path)).toEqual(['b']);
    expect(statSync(dirname(desk.path)).mode & 0o777).toBe(0o700);
    expect(desk.complaints).toEqual([]);
  });

  deskTest('TS-9: lines are in the order of the calls, awaited or not', async (desk) => {
    const transcript = await desk.open();
    const sizes = Array.from({ length: 200 }, (_, i) => (i % 7 === 0 ? 300_000 : i));
    for (const [i, size] of sizes.entries())
      void transcript.append(userSays(said(`${i} ${'x'.repeat(size)}`)));
    await transcript.flush();
    expect((await texts(desk.path)).map((text) => Number.parseInt(text, 10))).toEqual(sizes.map((_, i) => i));
    const lines = desk.lines();
    expect(lines.map(({ parentUuid }) => parentUuid)).toEqual([
      null,
      ...lines.slice(0, -1).map(({ uuid }) => uuid),
    ]);
  });

  deskTest('TS-9: an entry is written as it was when it was given', async (desk) => {
    const transcript = await desk.open();
    const input = { command: 'ls' };
    void transcript.append(assistantSays(used('t1', input)));
    input.command = 'rm';
    await transcript.close();
    expect(desk.text()).toContain('"command":"ls"');
  });

  deskTest('TS-9: lines of several processes do not mix', async (desk) => {
    const names = ['red', 'green', 'blue'];
    await Promise.all(names.map((name) => writer(desk.path, name, 40, 20_000)));
    const read = await readTranscript(desk.path);
    expect(read).toMatchObject({ lines: 240, problems: [] });
    for (const name of names) {
      const mine = desk.lines().filter(({ sessionId }) => sessionId === name);
      expect(mine).toHaveLength(80);
      expect(mine.slice(1).map(({ parentUuid }) => parentUuid)).toEqual(
        mine.slice(0, -1).map(({ uuid }) => uuid),
      );
    }
  });

  deskTest('TS-10: a last line that was cut does not spoil the next one', async (desk) => {
    await desk.write(userSays(said('a')), assistantSays(said('b')));
    truncateSync(desk.path, desk.text().length - 20);
    await desk.write(userSays(said('c')), assistantSays(said('d')));
    const { messages, problems } = await readTranscript(desk.path);
    expect(messages).toEqual([
      { role: 'user', content: [said('a'), said('c')] },
      { role: 'assistant', content: [said('d')] },
    ]);
    expect(problems).toEqual([expect.stringMatching(/^Line 2 was left out: it is not JSON/)]);
  });

  deskTest(
    'TS-10: a line without its end is a line, and one that is cut while the session runs is ended',
    async (desk) => {
      const transcript = await desk.open();
      await transcript.append(userSays(said('a')));
      truncateSync(desk.path, desk.text().length - 1);
      await transcript.append(assistantSays(said('b')));
      appendFileSync(desk.path, '{"half');
      await transcript.append(userSays(said('c')));
      expect(await texts(desk.path)).toEqual(['a', 'b', 'c']);
      expect(desk.text()).not.toContain('\n\n');
    },
  );

  deskTest(
    'TS-10: a process that is killed while it writes leaves a conversation to go on from',
    async (desk) => {
      const child = writer(desk.path, 'victim', 1_000_000, 50_000);
      const failed = child.catch(() => {});
      await until(() => existsSync(desk.path) && statSync(desk.path).size > 2_000_000, 'that it has written');
      child.kill('SIGKILL');
      await failed;
      await desk.write(userSays(said('still there?')));
      const { messages, lines } = await readTranscript(desk.path);
      expect(lines).toBeGreaterThan(20);
      expectSound(messages);
      expect(messages.at(-1)?.content.at(-1)).toEqual(said('still there?'));
    },
  );
});
