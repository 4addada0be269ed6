import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { describeEveryWay } from '../support/process-harness.js';

const TEN_MEGABYTES = Buffer.alloc(10_000_000, 'x');

describeEveryWay('standard input', (check) => {
  check('a program that exits without reading 10 MB of input has succeeded', async ({ fixture }) => {
    const { end } = await fixture('exit-unread.sh', [], { stdin: TEN_MEGABYTES }).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 0 });
  });

  check(
    'a program that never reads 10 MB of input and never exits meets its deadline',
    async ({ fixture }) => {
      const { end, durationMs } = await fixture('hang-unread.sh', [], {
        stdin: TEN_MEGABYTES,
        timeoutMs: 300,
      }).done;
      expect(end).toEqual({ kind: 'timed-out' });
      expect(durationMs).toBeGreaterThan(295);
      expect(durationMs).toBeLessThan(15_000);
    },
  );

  check('a program that reads one byte and answers has its answer kept', async ({ fixture }) => {
    const { end, stdout } = await fixture('read-one-byte.sh', [], { stdin: TEN_MEGABYTES }).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(stdout).toBe('{"ok":true}\n');
  });

  check('a program that waits for the end of its input gets it', async ({ fixture }) => {
    const { end, stdout } = await fixture('wait-for-eof.sh', [], { stdin: '{"a":1}' }).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(stdout).toBe('{}\n');
  });

  check('an empty input is an end at once', async ({ fixture }) => {
    expect((await fixture('wait-for-eof.sh').done).stdout).toBe('{}\n');
  });

  check('every byte of the input arrives, however large and whatever it is', async ({ fixture }) => {
    const strange = JSON.stringify({ text: `\u0000\u2028é😀${'ab'.repeat(200_000)}` });
    for (const stdin of [
      strange,
      TEN_MEGABYTES,
      Uint8Array.from({ length: 70_000 }, (_, index) => index % 256),
    ]) {
      const bytes = Buffer.from(stdin);
      const { stdout } = await fixture('hash-input.mjs', [], { stdin }).done;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(JSON.parse(stdout)).toEqual({ length: bytes.length, sha256 });
    }
  });

  check('a lone surrogate in a text input becomes valid UTF-8', async ({ run }) => {
    expect((await run({ command: 'cat', stdin: 'a\ud800b' }).done).stdout).toBe('a\ufffdb');
  });

  check('a program that wants to ask at a terminal finds none and does not hang', async ({ fixture }) => {
    expect((await fixture('ask-terminal.sh').done).end).toEqual({ kind: 'exited', exitCode: 7 });
  });
});
