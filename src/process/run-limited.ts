/** Runs a process when its turn comes; aborted before that, it never starts. */

import type { Limiter } from './limiter.js';
import { runProcess } from './run-process.js';
import { assertTimerMs } from './timeout.js';
import type { ProcessRequest, RunningProcess } from './types.js';

/**
 * The deadline counts from the start, not from here. The slot is held until the end, also when the deadline is
 * replaced meanwhile. `start` may be any other way to run a request.
 */
export function runLimited(
  limiter: Limiter,
  request: ProcessRequest,
  start: (request: ProcessRequest) => RunningProcess = runProcess,
): RunningProcess {
  assertTimerMs(request.timeoutMs);
  const queuedAt = performance.now();
  const slot = limiter.acquire();
  let running: RunningProcess | undefined;
  let aborted = false;
  let { timeoutMs } = request;

  const done = slot.granted.then(async (release) => {
    try {
      if (aborted) {
        const durationMs = performance.now() - queuedAt;
        return { end: { kind: 'aborted' as const }, stdout: '', stderr: '', durationMs };
      }
      running = start({ ...request, timeoutMs });
      return await running.done;
    } finally {
      release?.();
    }
  });

  return {
    done,
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
