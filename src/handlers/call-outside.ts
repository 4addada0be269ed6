/** Calls something outside this process (a server, a model) under a run's deadline, with a signal to end it. */

import { startDeadline } from '../base/async/deadline.js';
import { toError } from '../base/errors.js';
import { ABORTED, type Completion } from './completion.js';
import { callAtDepth } from './depth.js';
import type { HookRun } from './hook.js';

/** The first of the answer, the deadline and the end of the fire counts; anything later is ignored. */
export function callOutside(
  run: HookRun,
  call: (signal: AbortSignal) => Promise<Completion>,
): Completion | Promise<Completion> {
  if (run.cancellation.cancelled) return ABORTED;
  return new Promise((resolve) => {
    const controller = new AbortController();
    const finish = (completion: Completion): void => {
      deadline.cancel();
      run.cancellation.remove(onCancel);
      resolve(completion);
    };
    const interrupt = (completion: Completion): void => {
      finish(completion);
      controller.abort();
    };
    const onCancel = (): void => interrupt(ABORTED);
    const deadline = startDeadline(run.timeoutMs, () =>
      interrupt({ kind: 'timed-out', timeoutMs: run.timeoutMs }),
    );
    run.cancellation.add(onCancel);
    callAtDepth(run.depth, call, controller.signal).then(finish, (error: unknown) =>
      finish({ kind: 'threw', error: toError(error) }),
    );
  });
}
