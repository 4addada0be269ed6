/** The way that processes are started on systems where Node's own does not do; the guarantees are the same. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadExecaLaunch } from '../../src/process/launch-with-execa.js';
import { ProcessRun } from '../../src/process/process-run.js';
import { runOnceLoaded } from '../../src/process/run-process.js';
import { isRunning, processTest, type Start } from '../support/process-harness.js';

const launch = await loadExecaLaunch();
const start: Start = (request) => new ProcessRun(request, launch);

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

  it('loads in a TypeScript program that tsx runs', async () => {
    const program = fileURLToPath(new URL('../fixtures/process/execa.ts', import.meta.url));
    const tsx = import.meta.resolve('tsx');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', tsx, program]);
    expect(JSON.parse(stdout)).toMatchObject({ end: { kind: 'exited', exitCode: 0 }, stdout: 'hello\n' });
  });
});

describe('processes that wait for execa to be loaded', () => {
  const later: Start = (request) => runOnceLoaded(request, loadExecaLaunch());

  processTest(
    'it runs, with the timeout that was set meanwhile',
    async ({ run }) => {
      const running = run({ command: 'sleep 100', timeoutMs: 60_000 });
      running.setTimeout(50);
      expect(running.pid).toBeUndefined();
      expect((await running.done).end).toEqual({ kind: 'timed-out' });
      expect(running.pid).toBeGreaterThan(0);
    },
    { start: later },
  );

  processTest(
    'aborted before, it never starts',
    async ({ run, dir }) => {
      const running = run({ command: 'echo started > trace' });
      running.abort();
      expect((await running.done).end).toEqual({ kind: 'aborted' });
      expect(existsSync(join(dir, 'trace'))).toBe(false);
    },
    { start: later },
  );

  processTest(
    'a launcher that cannot be loaded is a failed start',
    async ({ run }) => {
      expect((await run({ command: 'true' }).done).end).toMatchObject({
        kind: 'failed-to-start',
        message: 'not installed',
      });
    },
    { start: (request) => runOnceLoaded(request, Promise.reject(new Error('not installed'))) },
  );
});
