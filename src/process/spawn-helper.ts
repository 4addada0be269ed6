/**
 * Runs processes through a small long-lived child. Starting a process copies the tables of its parent's memory, so in
 * a host of a gigabyte every start blocks the event loop for tens of milliseconds; in a small helper it does not.
 */

import { assertTimerMs } from '../base/async/timeout.js';
import { HelperProcess } from './helper-process.js';
import { HelperRun } from './helper-run.js';
import { runProcess } from './run-process.js';
import type { ProcessRequest, RunningProcess } from './types.js';

/** How long a closed helper may take to leave. */
const CLOSE_MS = 2000;
/** How long it may take until it is ready, on a machine that is very busy. */
const READY_MS = 10_000;
/** So many starts in a row may fail before it is done without. */
const MAX_FAILED_STARTS = 3;

const LOST =
  'The spawn helper ended while this process ran: its answer is lost, and it was killed. The next process gets a new helper.';

export interface SpawnHelperOptions {
  /** A helper that takes so long to say that it has started something is stuck, and replaced. */
  readonly startMs?: number;
  /** So is one that owes an answer so long after all that its request allowed. */
  readonly overdueMs?: number;
}

export interface SpawnHelper {
  /** As `runProcess`, with the same guarantees; `pid` is known a moment later. */
  run(request: ProcessRequest): RunningProcess;
  /** Ends what still runs, and the helper. */
  close(): Promise<void>;
}

interface Helper {
  readonly child: HelperProcess;
  readonly runs: Map<number, HelperRun>;
}

/**
 * The helper starts with the first request and again after it was lost. What ran in a lost helper is killed and ends
 * as `failed-to-start` with the code EHELPER. A helper that cannot start is done without: it only saves time.
 *
 * Known limit: if the helper gets SIGKILL from outside in the very moment in which it starts a process, before it has
 * told the pid, that process is left to itself.
 */
export function createSpawnHelper({
  startMs = 5000,
  overdueMs = 5000,
}: SpawnHelperOptions = {}): SpawnHelper {
  let helper: Helper | undefined;
  let nextId = 1;
  let failedStarts = 0;
  let closed = false;

  function revive(): Helper {
    const runs = new Map<number, HelperRun>();
    const child = new HelperProcess({
      onMessage(message, body) {
        const run = runs.get(message.id);
        if (message.type === 'started') run?.started(message.pid);
        else if (message.type === 'text') run?.heard(message.stream, body.toString());
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
    return { child, runs };
  }

  function helperOrNone(): Helper | undefined {
    if (helper?.child.alive) return helper;
    if (failedStarts >= MAX_FAILED_STARTS) return undefined;
    try {
      helper = revive();
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
      startMs: child.ready ? startMs : READY_MS + startMs,
      overdueMs,
      send: (message, body) => child.send(message, body),
      onOverdue: () => child.kill(),
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
