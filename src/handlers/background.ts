/** Hooks that continue in the background: a bounded set that can be awaited and ended. */
import pTimeout from 'p-timeout';
import { toError } from '../base/errors.js';
import type { Cancellation } from './cancellation.js';
import { ABORTED, type Completion, type Follow } from './completion.js';

export class BackgroundSet {
  readonly #limit: number;
  /** Everything that has not ended yet. */
  readonly #running = new Set<Promise<unknown>>();
  /** Fires that wait for a free place, in order. */
  readonly #waiting = new Map<Promise<unknown>, () => void>();
  /** Work whose fire has already ended: at most as many as the limit allows. */
  readonly #unattended = new Set<Promise<unknown>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Tracks work until it ends. Contract: `work` never rejects. */
  keep<T>(work: Promise<T>): Promise<T> {
    const kept = work.finally(() => this.#end(kept));
    this.#running.add(kept);
    return kept;
  }

  /**
   * Resolves when tracked work may run after its fire, has ended, or was cancelled. The fire stays open until then,
   * which slows its caller down: nothing is dropped and nothing piles up.
   */
  async roomFor(work: Promise<unknown>, cancellation: Cancellation): Promise<void> {
    if (!this.#running.has(work)) return;
    if (this.#unattended.size < this.#limit) {
      this.#unattended.add(work);
      return;
    }
    await new Promise<void>((resolve) => {
      const go = (): void => {
        cancellation.remove(go);
        this.#waiting.delete(work);
        resolve();
      };
      if (cancellation.cancelled) go();
      else {
        cancellation.add(go);
        this.#waiting.set(work, go);
      }
    });
  }

  /** Resolves when nothing is in the background any more, including work that was added meanwhile. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #end(work: Promise<unknown>): void {
    this.#running.delete(work);
    this.#unattended.delete(work);
    this.#waiting.get(work)?.();
    const [next] = this.#waiting;
    if (next === undefined || this.#unattended.size >= this.#limit) return;
    this.#unattended.add(next[0]);
    next[1]();
  }
}

/**
 * Follows the promise of a callback's later answer; `abort` signals the callback that its answer is no longer
 * awaited.
 */
export function followPromise(answer: PromiseLike<unknown>, abort: () => void = () => {}): Follow {
  // Handled from the start: a rejection before it is awaited must not be an unhandled rejection.
  const settled: Promise<Completion> = new Promise((resolve) => resolve(answer)).then(
    (output) => ({ kind: 'returned', output }),
    (error: unknown) => ({ kind: 'threw', error: toError(error) }),
  );
  return async (timeoutMs, cancellation) => {
    let cancel = (): void => {};
    const cancelled = new Promise<Completion>((resolve) => {
      cancel = () => {
        abort();
        resolve(ABORTED);
      };
    });
    if (cancellation.cancelled) cancel();
    else cancellation.add(cancel);
    const timedOut = (): Completion => {
      abort();
      return { kind: 'timed-out', timeoutMs };
    };
    const first = Promise.race([settled, cancelled]);
    const completion = await pTimeout(first, { milliseconds: timeoutMs, fallback: timedOut });
    cancellation.remove(cancel);
    return completion;
  };
}
