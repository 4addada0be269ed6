/** Hooks that answered "later": a bounded set that can be waited for and ended. */
import pTimeout from 'p-timeout';
import { toError } from '../errors.js';
import { ABORTED, type Completion, type Follow } from './completion.js';

export class BackgroundSet {
  readonly #limit: number;
  readonly #running = new Set<Promise<unknown>>();
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Resolves when there is room for one more. A fire that is not answered yet is the natural brake: nothing is
   * dropped and nothing is queued without bound.
   */
  async room(): Promise<void> {
    while (this.#running.size >= this.#limit)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Keeps work until it ends. Contract: `work` never rejects. */
  keep<T>(work: Promise<T>): Promise<T> {
    const kept = work.finally(() => {
      this.#running.delete(kept);
      this.#waiting.shift()?.();
    });
    this.#running.add(kept);
    return kept;
  }

  /** Resolves when nothing is in the background any more, also what came while waiting. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** Follows a callback's promise of an answer. */
export function followPromise(answer: PromiseLike<unknown>): Follow {
  // Handled from the first moment: an answer that fails before anybody follows it is not the process's problem.
  const settled: Promise<Completion> = Promise.resolve(answer).then(
    (output) => ({ kind: 'returned', output }),
    (error: unknown) => ({ kind: 'threw', error: toError(error) }),
  );
  return async (timeoutMs, cancellation) => {
    let cancel = (): void => {};
    const cancelled = new Promise<Completion>((resolve) => {
      cancel = () => resolve(ABORTED);
    });
    if (cancellation.cancelled) cancel();
    else cancellation.add(cancel);
    const timedOut = (): Completion => ({ kind: 'timed-out', timeoutMs });
    const first = Promise.race([settled, cancelled]);
    const completion = await pTimeout(first, { milliseconds: timeoutMs, fallback: timedOut });
    cancellation.remove(cancel);
    return completion;
  };
}
