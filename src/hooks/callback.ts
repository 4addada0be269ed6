/** The hook that is a function in this process. */
import { toError } from '../errors.js';
import type { HookContext } from '../events/types.js';
import { privateView } from '../json/private-view.js';
import { ABORTED, type Completion } from './completion.js';
import { callAtDepth } from './depth.js';
import type { HookRun, RunHook } from './hook.js';

/** Any of the fifteen callback types, seen from the inside, where the table has already checked which. */
export type AnyCallback = (
  input: Readonly<Record<string, unknown>>,
  toolUseID: string | undefined,
  context: HookContext,
) => unknown;

export function callbackHook(callback: AnyCallback): RunHook {
  return (run) => {
    const context = new CallbackContext(run);
    let answer: unknown;
    try {
      answer = callAtDepth(run, callback, privateInput(run.input), run.toolUseID, context);
      if (!isThenable(answer)) return { kind: 'returned', output: answer, abort: context.abort };
    } catch (error) {
      return { kind: 'threw', error: toError(error) };
    }
    return settle(answer, run, context);
  };
}

/** Waits for the answer, the deadline or the end of the fire, whichever comes first; the others are ignored. */
function settle(answer: PromiseLike<unknown>, run: HookRun, context: CallbackContext): Promise<Completion> {
  return new Promise((resolve) => {
    let settled = false;
    const finish = (completion: Completion): void => {
      if (settled) {
        if (completion.kind === 'returned') disown(completion.output);
        return;
      }
      settled = true;
      clearTimeout(timer);
      run.cancellation.remove(onCancel);
      resolve(completion);
    };
    const interrupt = (completion: Completion): void => {
      context.abort();
      finish(completion);
    };
    const onCancel = (): void => interrupt(ABORTED);
    const timer = setTimeout(() => interrupt({ kind: 'timed-out', timeoutMs: run.timeoutMs }), run.timeoutMs);
    const fail = (error: unknown): void => finish({ kind: 'threw', error: toError(error) });
    try {
      // Two handlers at once: a rejection after the deadline is nobody's unhandled rejection.
      Promise.resolve(answer).then(
        (output) => finish({ kind: 'returned', output, abort: context.abort }),
        fail,
      );
    } catch (error) {
      fail(error);
    }
    // The hook may have ended its own fire before its first await.
    if (run.cancellation.cancelled) onCancel();
    else run.cancellation.add(onCancel);
  });
}

/** The input as this one hook sees it; what it changes there, nobody else sees. */
function privateInput(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own: Record<string, unknown> = { ...input };
  for (const key in own) {
    const value = own[key];
    if (typeof value === 'object' && value !== null) own[key] = privateView(value);
  }
  return own;
}

/** An answer that nobody reads may hold a promise that fails: that, too, is nobody's unhandled rejection. */
export function disown(output: unknown): void {
  try {
    const rest = (output as { result?: PromiseLike<unknown> } | undefined)?.result;
    if (isThenable(rest)) rest.then(undefined, () => {});
  } catch {
    // It cannot even be looked at.
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value instanceof Promise) return true;
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

/** Makes its AbortSignal only for callbacks that look at it: most do not, and it costs more than the whole fire. */
class CallbackContext implements HookContext {
  readonly #run: HookRun;
  #controller: AbortController | undefined;
  #aborted = false;

  constructor(run: HookRun) {
    this.#run = run;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted) this.#controller.abort();
    return this.#controller.signal;
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

  readonly abort = (): void => {
    this.#aborted = true;
    this.#controller?.abort();
  };
}
