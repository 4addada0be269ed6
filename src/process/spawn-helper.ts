/**
 * Runs processes through a small long-lived child. Starting a process copies the page tables of its parent, so in a
 * host of a gigabyte every start blocks the event loop for tens of milliseconds; in a small helper it does not.
 */

import { assertTimerMs } from '../base/async/timeout.js';
import { HelperProcess } from './helper-process.js';
import { HelperRun } from './helper-run.js';
import { runProcess } from './run-process.js';
import type { ProcessRequest, RunningProcess } from './types.js';

/** How long a closed helper may take to exit. */
const CLOSE_MS = 2000;
/** How long it may take to become ready on a very busy machine. No caller waits that long. */
const READY_MS = 10_000;
/** After this many failed starts in a row, processes run without a helper. */
const MAX_FAILED_STARTS = 3;

const LOST =
  'The spawn helper ended while this process ran: its answer is lost, and it was killed. The next process gets a new helper.';

export interface SpawnHelperOptions {
  /** A helper that takes longer to report a start hangs, and is replaced. */
  readonly startMs?: number;
  /** So does one whose answer is overdue by this long after all time limits of its request. */
  readonly overdueMs?: number;
}

export interface SpawnHelper {
  /** Like `runProcess`, with the same guarantees; `pid` is known slightly later. */
  run(request: ProcessRequest): RunningProcess;
  /** Ends what still runs, and the helper. */
  close(): Promise<void>;
}

interface Helper {
  readonly child: HelperProcess;
  /** It has not answered for a while. Until it does, or is replaced, processes run without it. */
  silent: boolean;
  readonly runs: Map<number, HelperRun>;
}

/**
 * The helper starts with the first request, and again after it was lost. Processes of a lost helper are killed and end
 * as `failed-to-start` with the code EHELPER. If the helper cannot start, processes run without it: it only saves time. A
 * helper that hangs delays no one beyond the deadline of the request.
 *
 * Known limit: if the helper gets SIGKILL from outside while it starts a process, before it has reported the pid, that
 * process keeps running.
 */
export function createSpawnHelper({
  startMs = 5000,
  overdueMs = 5000,
}: SpawnHelperOptions = {}): SpawnHelper {
  let helper: Helper | undefined;
  let nextId = 1;
  let failedStarts = 0;
  let closed = false;

  function startHelper(): Helper {
    const runs = new Map<number, HelperRun>();
    const child = new HelperProcess({
      onMessage(message, body) {
        started.silent = false;
        const run = runs.get(message.id);
        if (message.type === 'started') run?.started(message.pid);
        else if (message.type === 'pong') run?.answered();
        else if (message.type === 'text') run?.onOutput(message.stream, body.toString());
        else run?.finished(message, body);
      },
      onGone(wasReady) {
        failedStarts = wasReady ? 0 : failedStarts + 1;
        for (const run of [...runs.values()]) {
          if (wasReady) run.lost('EHELPER', LOST);
          else run.runDirectly();
        }
      },
    });
    const tooLong = setTimeout(() => !child.ready && child.kill(), READY_MS).unref();
    void child.gone.then(() => clearTimeout(tooLong));
    const started: Helper = { child, runs, silent: false };
    return started;
  }

  function helperOrNone(): Helper | undefined {
    if (helper?.child.alive) return helper.silent ? undefined : helper;
    if (failedStarts >= MAX_FAILED_STARTS) return undefined;
    try {
      helper = startHelper();
      return helper;
    } catch {
      failedStarts++;
      return undefined;
    }
  }

  function run(request: ProcessRequest): RunningProcess {
    assertTimerMs(request.timeoutMs);
    if (closed) throw new Error('The spawn helper is closed. Create another one to run more processes.');
    const current = helperOrNone();
    if (!current) return runProcess(request);
    const { child, runs } = current;
    const id = nextId++;
    child.setBusy(true);
    const started = new HelperRun(id, request, {
      startMs,
      overdueMs,
      send: (message, body) => child.send(message, body),
      withdraw: () => child.withdraw(id),
      onOverdue: () => child.kill(),
      onSilent() {
        current.silent = true;
      },
      onDone() {
        runs.delete(id);
        if (runs.size === 0) child.setBusy(false);
      },
    });
    runs.set(id, started);
    return started;
  }

  async function close(): Promise<void> {
    closed = true;
    if (!helper) return;
    const { child, runs } = helper;
    for (const each of runs.values()) each.abort();
    await Promise.all([...runs.values()].map(({ done }) => done));
    child.close();
    const force = setTimeout(() => child.kill(), CLOSE_MS);
    await child.gone;
    clearTimeout(force);
  }

  return { run, close };
}
