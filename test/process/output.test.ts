import { expect } from 'vitest';
import { describeEveryWay, isRunning, until } from '../support/process-harness.js';

const MEBIBYTE = 1_048_576;

describeEveryWay('output', (check) => {
  for (const stream of ['stdout', 'stderr'] as const) {
    check(`a program that prints to ${stream} for ever is ended at the limit`, async ({ fixture }) => {
      const { end, ...output } = await fixture('flood.sh', [stream]).done;
      expect(end).toEqual({ kind: 'too-much-output', stream, limit: MEBIBYTE });
      expect(output[stream]).toHaveLength(MEBIBYTE);
    });

    check(`${stream} may be exactly as long as the limit, and not one byte longer`, async ({ fixture }) => {
      const limits = { maxStdoutBytes: 100_000, maxStderrBytes: 100_000 };
      const exact = await fixture('print-bytes.sh', ['100000', stream], { limits }).done;
      expect(exact.end).toEqual({ kind: 'exited', exitCode: 0 });
      expect(exact[stream]).toHaveLength(100_000);
      const over = await fixture('print-bytes.sh', ['100001', stream], { limits }).done;
      expect(over.end).toEqual({ kind: 'too-much-output', stream, limit: 100_000 });
      expect(over[stream]).toHaveLength(100_000);
    });
  }

  check('one gigabyte of output costs no more memory than the limit', async ({ fixture }) => {
    const before = process.memoryUsage().rss;
    let highest = before;
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss);
    }, 5);
    for (let round = 0; round < 3; round++) {
      const { end, stdout } = await fixture('print-bytes.sh', ['1073741824']).done;
      expect(end.kind).toBe('too-much-output');
      expect(stdout).toHaveLength(MEBIBYTE);
    }
    clearInterval(watch);
    expect((highest - before) / MEBIBYTE).toBeLessThan(100);
  });

  check('a flood that is deaf to SIGTERM and SIGPIPE is ended by force', async ({ fixture }) => {
    const limits = { killGraceMs: 200, maxStdoutBytes: 1000 };
    const { end, stdout, durationMs } = await fixture('flood-stubbornly.sh', [], { limits }).done;
    expect(end).toEqual({ kind: 'too-much-output', stream: 'stdout', limit: 1000 });
    expect(stdout).toHaveLength(1000);
    expect(durationMs).toBeLessThan(15_000);
  });

  check('a character that arrives in two pieces is reported whole', async ({ fixture }) => {
    const told: string[] = [];
    const { stdout } = await fixture('split-emoji.sh', [], { onText: (_, text) => told.push(text) }).done;
    expect(stdout).toBe('a😀b');
    expect(told.length).toBeGreaterThan(1);
    expect(told.join('')).toBe('a😀b');
    expect(told.some((text) => text.includes('\ufffd'))).toBe(false);
  });

  check(
    'text is exact: marks, zero bytes and line ends stay, invalid bytes are replaced',
    async ({ fixture }) => {
      const told: string[] = [];
      const { stdout } = await fixture('invalid-text.sh', [], { onText: (_, text) => told.push(text) }).done;
      expect(stdout).toBe('\ufeff{"a":"\0\ufffd\ufffd"}\r\n\ufffd');
      expect(told.join('')).toBe(stdout);
    },
  );

  check('text is reported while the program runs, with the name of its stream', async ({ run }) => {
    const told: string[] = [];
    const running = run({
      command: 'echo out; echo err >&2; until [ -e heard ]; do sleep 0.01; done; echo more',
      onText: (stream, text) => {
        told.push(`${stream}:${text}`);
        if (told.length === 2) void run({ command: 'touch heard' });
      },
    });
    const { end } = await running.done;
    expect(end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(told.slice(0, 2).sort()).toEqual(['stderr:err\n', 'stdout:out\n']);
    expect(told.slice(2)).toEqual(['stdout:more\n']);
  });

  check('a listener that throws neither ends nor falsifies the run', async ({ run }) => {
    let calls = 0;
    const onText = (): void => {
      calls++;
      throw new Error('listener');
    };
    const { end, stdout } = await run({ command: 'echo a; sleep 0.05; echo b', onText }).done;
    expect(end).toEqual({ kind: 'exited', exitCode: 0 });
    expect(stdout).toBe('a\nb\n');
    expect(calls).toBeGreaterThan(0);
  });

  check('no text is reported after the end', async ({ fixture, reported }) => {
    let settled = false;
    let late = 0;
    const onText = (): void => {
      if (settled) late++;
    };
    await fixture('talk-after-exit.sh', ['1000'], { limits: { drainGraceMs: 20 }, onText }).done;
    settled = true;
    // It prints into a closed pipe next, and ends by that.
    const [talker = 0] = await reported(1);
    await until(() => !isRunning(talker), 'the end of the talker');
    expect(late).toBe(0);
  });
});
