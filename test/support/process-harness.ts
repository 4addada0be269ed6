/** Wraps every test that starts processes: afterwards nothing may run, leak or have been thrown unseen. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ProcessRequest, type RunningProcess, runProcess } from '../../src/process/run-process.js';
import { createSpawnHelper } from '../../src/process/spawn-helper.js';

export type Start = (request: ProcessRequest) => RunningProcess;

export interface Bench {
  /** A fresh directory, the working directory of what is run. */
  readonly dir: string;
  /** Where fixtures report their pids, one per line. They know it as $PIDS. */
  readonly pidFile: string;
  /** Runs with harmless defaults for whatever is not given. */
  run(request: Partial<ProcessRequest>): RunningProcess;
  /** Runs a fixture by name in exec form. */
  fixture(name: string, args?: readonly string[], request?: Partial<ProcessRequest>): RunningProcess;
  /** The reported pids, as soon as there are at least so many. */
  reported(count: number): Promise<number[]>;
  /** Declares processes that are meant to survive; the harness ends them. */
  spare(...pids: number[]): void;
}

export const fixturePath = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/process/${name}`, import.meta.url));

/** Waits for a condition, not for a time. */
export async function until(
  condition: () => boolean,
  what = 'the condition',
  withinMs = 40_000,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`${what} did not come true within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** True while it can run code: a zombie cannot. */
export function isRunning(pid: number): boolean {
  const state = stateOf(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** The letter that the system gives for it, or undefined when there is no such process. */
export function stateOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat[stat.lastIndexOf(')') + 2];
  } catch {
    return undefined;
  }
}

export function readPids(file: string): number[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export const openFiles = (): number => readdirSync('/proc/self/fd').length;

/** One test with all checks. `start` is the way to run processes that is under test. */
export function processTest(
  name: string,
  body: (bench: Bench) => Promise<void>,
  { start = runProcess, timeout = 60_000 }: { start?: Start; timeout?: number } = {},
): void {
  test(name, { timeout }, async () => {
    const dir = mkdtempSync(join(tmpdir(), 'hookline-process-'));
    const pidFile = join(dir, '.pids');
    const leaders: number[] = [];
    const spared = new Set<number>();
    const complaints: unknown[] = [];
    const complain = (complaint: unknown): void => void complaints.push(complaint);
    const openBefore = openFiles();
    process.on('unhandledRejection', complain);
    process.on('warning', complain);

    const run: Bench['run'] = (request) => {
      const running = start({
        command: 'true',
        cwd: dir,
        stdin: '',
        timeoutMs: 50_000,
        ...request,
        env: { PATH: process.env['PATH'] ?? '', PIDS: pidFile, ...request.env },
      });
      void running.done.then(({ pid }) => pid && leaders.push(pid));
      return running;
    };
    try {
      await body({
        dir,
        pidFile,
        run,
        fixture: (fixture, args = [], request = {}) =>
          run({ command: fixturePath(fixture), args, ...request }),
        async reported(count) {
          await until(() => readPids(pidFile).length >= count, `${count} reported pids`);
          return readPids(pidFile);
        },
        spare: (...pids) => pids.forEach((pid) => void spared.add(pid)),
      });
      const gone = [...leaders, ...readPids(pidFile)].filter((pid) => !spared.has(pid));
      await until(() => !gone.some(isRunning), `the end of all processes (${gone.filter(isRunning)})`);
      for (const pid of spared) expect(isRunning(pid), `${pid} was to survive`).toBe(true);
      await until(() => openFiles() <= openBefore, `${openFiles()} open files back to ${openBefore}`);
      expect(complaints).toEqual([]);
    } finally {
      process.off('unhandledRejection', complain);
      process.off('warning', complain);
      for (const pid of [...spared, ...readPids(pidFile)]) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    }
  });
}

type Check = (name: string, body: (bench: Bench) => Promise<void>, timeout?: number) => void;

/** Defines the same tests for every way to start a process: the guarantees are the same. */
export function describeEveryWay(title: string, define: (check: Check) => void): void {
  describe(`${title} (started directly)`, () => {
    define((name, body, timeout) => processTest(name, body, timeout ? { timeout } : {}));
  });

  describe(`${title} (started by the helper)`, () => {
    const helper = createSpawnHelper();
    const start: Start = (request) => helper.run(request);
    // It stays open between the tests, so its own files belong to what each of them finds.
    beforeAll(() => start({ command: 'true', cwd: '/', env: {}, stdin: '', timeoutMs: 10_000 }).done);
    afterAll(() => helper.close());
    define((name, body, timeout) => processTest(name, body, timeout ? { start, timeout } : { start }));
  });
}
