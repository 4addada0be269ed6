/**
 * Runs one process to exactly one end, limited in time and memory, whatever the program does.
 *
 * Known limits: a descendant that created its own session (setsid) has left the group and is not ended with it; and if
 * this process gets SIGKILL, nothing ends what it started (the spawn helper does).
 */

import { assertTimerMs } from '../base/async/timeout.js';
import { messageOf } from '../base/errors.js';
import type { Launch } from './launch.js';
import { launchPlainly } from './launch-plainly.js';
import { loadExecaLaunch } from './launch-with-execa.js';
import { platform } from './platform.js';
import { ProcessRun } from './process-run.js';
import type { ProcessEnd, ProcessRequest, ProcessResult, RunningProcess } from './types.js';

export * from './types.js';

/** Starts immediately. Throws only for a timeout that a timer cannot hold; all other failures are values of `done`. */
export function runProcess(request: ProcessRequest): RunningProcess {
  return platform.startsPlainly
    ? new ProcessRun(request, launchPlainly)
    : runOnceLoaded(request, loadExecaLaunch());
}

/** The same with execa on every system, for processes off the hot path. Resolves once execa is loaded. */
export async function loadExecaStart(): Promise<(request: ProcessRequest) => RunningProcess> {
  const launch = await loadExecaLaunch();
  return (request) => new ProcessRun(request, launch);
}

/** Starts as soon as the launcher is loaded; an abort before that means it never starts. */
export function runOnceLoaded(request: ProcessRequest, launcher: Promise<Launch>): RunningProcess {
  assertTimerMs(request.timeoutMs);
  const requestedAt = performance.now();
  let running: RunningProcess | undefined;
  let aborted = false;
  let { timeoutMs } = request;
  const notStarted = (end: ProcessEnd): ProcessResult => ({
    end,
    stdout: '',
    stderr: '',
    durationMs: performance.now() - requestedAt,
  });
  const start = (launch: Launch): ProcessResult | Promise<ProcessResult> => {
    if (aborted) return notStarted({ kind: 'aborted' });
    running = new ProcessRun({ ...request, timeoutMs }, launch);
    return running.done;
  };
  const fail = (error: unknown): ProcessResult =>
    notStarted({ kind: 'failed-to-start', code: 'EEXECA', message: messageOf(error) });
  return {
    done: launcher.then(start, fail),
    get pid() {
      return running?.pid;
    },
    abort() {
      aborted = true;
      running?.abort();
    },
    setTimeout(ms) {
      assertTimerMs(ms);
      timeoutMs = ms;
      running?.setTimeout(ms);
    },
  };
}
