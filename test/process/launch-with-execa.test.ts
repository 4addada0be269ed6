/** The way that processes are started on systems where Node's own does not do; the guarantees are the same. */
import { describe, expect } from 'vitest';
import { launchWithExeca } from '../../src/process/launch-with-execa.js';
import { ProcessRun } from '../../src/process/process-run.js';
import { isRunning, processTest, type Start } from '../support/process-harness.js';

const start: Start = (request) => new ProcessRun(request, launchWithExeca);

describe('processes that execa starts', () => {
  processTest(
    'a line for the shell reads its input and answers',
    async ({ run }) => {
      const { end, stdout, stderr } = await run({ command: 'cat; echo bad >&2; exit 3', stdin: 'text' }).done;
      expect(end).toEqual({ kind: 'exited', exitCode: 3 });
      expect([stdout, stderr]).toEqual(['text', 'bad\n']);
    },
    { start },
  );

  processTest(
    'a program gets exactly its arguments, its directory and its variables',
    async ({ run, dir }) => {
      const script = 'printf "%s|" "$@"; pwd; echo "$ONLY"';
      const request = {
        command: '/bin/sh',
        args: ['-c', script, 'sh', 'a b', '$HOME'],
        env: { ONLY: 'this' },
      };
      const { stdout } = await run(request).done;
      expect(stdout).toBe(`a b|$HOME|${dir}\nthis\n`);
    },
    { start },
  );

  processTest(
    'what cannot be started is a value that says why',
    async ({ run }) => {
      const missing = await run({ command: '/nowhere/program', args: [] }).done;
      expect(missing.end).toMatchObject({ kind: 'failed-to-start', code: 'ENOENT' });
      const nowhere = await run({ cwd: '/nowhere' }).done;
      expect(nowhere.end).toMatchObject({ kind: 'failed-to-start' });
      const huge = await run({ env: { HUGE: 'x'.repeat(4_000_000) } }).done;
      expect(huge.end).toMatchObject({ kind: 'failed-to-start', code: 'E2BIG' });
    },
    { start },
  );

  processTest(
    'at the deadline the whole group is ended',
    async ({ run, reported }) => {
      const command = 'sleep 100 & echo $! >> "$PIDS"; echo $$ >> "$PIDS"; sleep 100';
      const { end } = await run({ command, timeoutMs: 500 }).done;
      expect(end).toEqual({ kind: 'timed-out' });
      expect((await reported(2)).some(isRunning)).toBe(false);
    },
    { start },
  );

  processTest(
    'more output than allowed ends it',
    async ({ run }) => {
      const limits = { maxStdoutBytes: 1000 };
      const { end, stdout } = await run({ command: 'yes', limits }).done;
      expect(end).toEqual({ kind: 'too-much-output', stream: 'stdout', limit: 1000 });
      expect(stdout).toHaveLength(1000);
    },
    { start },
  );

  processTest(
    'an abort ends it',
    async ({ run, reported }) => {
      const running = run({ command: 'echo $$ >> "$PIDS"; sleep 100' });
      await reported(1);
      running.abort();
      expect((await running.done).end).toEqual({ kind: 'aborted' });
    },
    { start },
  );
});
