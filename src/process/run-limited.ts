/** Runs a process when its turn comes; aborted before that, or without a turn in time, it never starts. */

import { startDeadline } from '../base/async/deadline.js';
import type { Limiter } from '../base/async/limiter.js';
import { assertTimerMs } from '../base/async/timeout.js';
import { runProcess } from './run-process.js';
import type { ProcessEnd, ProcessRequest, ProcessResult, RunningProcess } from './types.js';

/** The code of a start that failed because no slot became free in time. */
export const NO_SLOT = 'ENOSLOT';

/** How a process waits for its slot, and what is asked before it starts. */
export interface Turn {
  /** It goes before those that are not urgent. */
  readonly urgent?: boolean;
  /**
   * Asked when the slot is granted, right before the start. On false the process is not started and ends as aborted.
   * Contract: never rejects.
   */
  readonly mayStart?: (() => Promise<boolean>) | undefined;
}

/**
 * The wait for a slot lasts at most as long as the process may run; the deadline itself counts from the start. The
 * slot is held until the end, also when the deadline is replaced meanwhile. `start` may be any other way to run a
 * request.
 */
export function runLimited(
  limiter: Limiter,
  request: ProcessRequest,
  start: (request: ProcessRequest) => RunningProcess = runProcess,
  { urgent, mayStart }: Turn = {},
): RunningProcess {
  assertTimerMs(request.timeoutMs);
  const queuedAt = performance.now();
  const slot = limiter.acquire(urgent);
  let running: RunningProcess | undefined;
  let aborted = false;
  let { timeoutMs } = request;

  function notStarted(end: ProcessEnd): ProcessResult {
    return { end, stdout: '', stderr: '', durationMs: performance.now() - queuedAt };
  }

  async function run(): Promise<ProcessResult> {
    const wait = slot.queued ? startDeadline(request.timeoutMs, slot.cancel) : undefined;
    const release = await slot.granted;
    wait?.cancel();
    try {
      if (release === undefined && !aborted) return notStarted(noSlot(limiter, request.timeoutMs));
      if (mayStart !== undefined && !aborted) aborted = !(await mayStart()) || aborted;
      if (aborted) return notStarted({ kind: 'aborted' });
      running = start({ ...request, timeoutMs });
      return await running.done;
    } finally {
      release?.();
    }
  }

  return {
    done: run(),
    get pid() {
      return running?.pid;
    },
    abort() {
      aborted = true;
      if (running) running.abort();
      else slot.cancel();
    },
    setTimeout(ms) {
      assertTimerMs(ms);
      timeoutMs = ms;
      running?.setTimeout(ms);
    },
  };
}

function noSlot({ limit }: Limiter, waitedMs: number): ProcessEnd {
  const which = limit === 1 ? 'the only process slot was not' : `none of the ${limit} process slots was`;
  return { kind: 'failed-to-start', code: NO_SLOT, message: `${which} free within ${waitedMs / 1000} s` };
}
