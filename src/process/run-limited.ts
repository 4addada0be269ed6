/** Runs a process once a slot is free; if aborted before, or if no slot becomes free in time, it never starts. */

import { startDeadline } from '../base/async/deadline.js';
import type { Limiter } from '../base/async/limiter.js';
import { assertTimerMs } from '../base/async/timeout.js';
import { runProcess } from './run-process.js';
import type { ProcessEnd, ProcessRequest, ProcessResult, RunningProcess } from './types.js';

/** The error code if no slot became free in time. */
export const NO_SLOT = 'ENOSLOT';

/** How a process waits for its slot, and the check before it starts. */
export interface Turn {
  /** Takes precedence over requests that are not urgent. */
  readonly urgent?: boolean;
  /**
   * Called when the slot is granted, right before the start. If it resolves to false, the process is not started and
   * ends as aborted. Contract: never rejects.
   */
  readonly mayStart?: (() => Promise<boolean>) | undefined;
}

/**
 * Waits for a slot at most as long as the process may run; the timeout itself starts with the process. The slot is held
 * until the end, even if the timeout is replaced. `start` can be any other way to run a request.
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
