/** The hook that is a function in this process. */
import { toError } from '../errors.js';
import type { HookContext } from '../events/types.js';
import { privateRecord, type Viewed, viewedParts } from '../json/private-view.js';
import type { Completion } from './completion.js';
import { callAtDepth } from './depth.js';
import type { HookRun, RunHook } from './hook.js';
import { type Call, promiseOf, Waiting } from './waiting.js';

/** Any of the fifteen callback types, seen from the inside, where the table has already checked which. */
export type AnyCallback = (
  input: Readonly<Record<string, unknown>>,
  toolUseID: string | undefined,
  context: HookContext,
) => unknown;

/** What hooks share that run one after another: whoever waits for them, and what was found out about their input. */
export interface Lane {
  readonly waiting: Waiting;
  /** The parts of the input that can be changed in place. */
  readonly parts: readonly Viewed[];
}

/** A run that is told of its end. */
export interface DirectRun extends HookRun, Call {
  /** Aborts with `abort`. */
  readonly signal: AbortSignal;
}

/** Returns how the hook ended; or undefined, and then tells the run later. Contract: never throws. */
export type StartHook = (run: DirectRun, lane: Lane) => Completion | undefined;

const START = Symbol('start');

/**
 * How a hook is started that tells its end instead of promising it: calling a function is all it does, and a promise
 * more would cost as much as the call. Undefined: this one has to be waited for.
 */
export function startOf(hook: RunHook): StartHook | undefined {
  return (hook as { readonly [START]?: StartHook })[START];
}

export function callbackHook(callback: AnyCallback): RunHook {
  const start: StartHook = (run, lane) => {
    try {
      const input = privateRecord(run.input, lane.parts);
      const output = callAtDepth(run.depth, callback, input, run.toolUseID, new CallbackContext(run));
      const promise = promiseOf(output);
      return promise === undefined
        ? { kind: 'returned', output, work: run }
        : lane.waiting.wait(promise, run);
    } catch (error) {
      return { kind: 'threw', error: toError(error) };
    }
  };
  return Object.assign(promiseEnd(start), { [START]: start });
}

/** The same for those who want a promise of the end after all. */
function promiseEnd(start: StartHook): RunHook {
  return (run) =>
    new Promise((resolve) => {
      const waiting = new Waiting(run.cancellation);
      const end = (completion: Completion): void => {
        waiting.close();
        resolve(completion);
      };
      const ended = start(directly(run, end), { waiting, parts: viewedParts(run.input) });
      if (ended !== undefined) end(ended);
    });
}

function directly(run: HookRun, end: DirectRun['end']): DirectRun {
  const { event, input, toolUseID, agentId, hookId, name, timeoutMs, cancellation, depth } = run;
  const controller = new AbortController();
  const startedAt = performance.now();
  return {
    ...{ event, input, toolUseID, agentId, hookId, name, timeoutMs, cancellation, depth },
    watched: run.watched,
    wire: () => run.wire(),
    onProgress: (stdout, stderr) => run.onProgress(stdout, stderr),
    signal: controller.signal,
    timeLeft: () => timeoutMs - (performance.now() - startedAt),
    abort: () => controller.abort(),
    end,
  };
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
