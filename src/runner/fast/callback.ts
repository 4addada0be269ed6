/** Calls a hook that is a function in this process. */

import { privateRecord, type Viewed } from '../../base/json/private-view.js';
import type { HookContext } from '../../events/types.js';
import { type Completion, thrownCompletion } from '../../handlers/completion.js';
import { callAtDepth } from '../../handlers/depth.js';
import type { HookRun } from '../../handlers/hook.js';
import type { AnyCallback } from '../../handlers/types.js';
import { type Call, type PendingCall, promiseOf } from './pending-call.js';

/**
 * Shared by hooks that run one after another: the object that waits for their answers, and what is known about their
 * input.
 */
export interface SequenceContext {
  readonly pendingCall: PendingCall;
  /** The parts of the input that a hook could change in place. */
  readonly parts: Viewed | undefined;
}

/** A run that is notified when it ends. */
export interface DirectRun extends HookRun, Call {
  /** Aborted by `abort`. */
  readonly signal: AbortSignal;
}

/** Returns how the call ended; or undefined, and then notifies the run later. Contract: never throws. */
export function startCallback(
  callback: AnyCallback,
  run: DirectRun,
  lane: SequenceContext,
): Completion | undefined {
  try {
    const input = privateRecord(run.input, lane.parts);
    const output = callAtDepth(run.depth, callback, input, run.toolUseID, new CallbackContext(run));
    const promise = promiseOf(output);
    return promise === undefined
      ? { kind: 'returned', output, work: run }
      : lane.pendingCall.wait(promise, run);
  } catch (error) {
    return thrownCompletion(error);
  }
}

class CallbackContext implements HookContext {
  readonly #run: DirectRun;

  constructor(run: DirectRun) {
    this.#run = run;
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  get hookId(): string {
    return this.#run.hookId;
  }

  get name(): string {
    return this.#run.name;
  }

  get agentId(): string | undefined {
    return this.#run.agentId;
  }

  get progress(): (text: string) => void {
    return (text) => this.#run.onProgress(String(text), '');
  }
}
