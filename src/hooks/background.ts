/** Hooks that answered "later": a bounded set that can be waited for and ended. */
import pTimeout from 'p-timeout';
import { toError } from '../errors.js';
import type { Cancellation } from './cancellation.js';
import type { Completion } from './completion.js';
import type { BackgroundWork } from './verdict.js';

const CANCELLED = Symbol('cancelled');
const TIMED_OUT = Symbol('timed out');

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

/** Waits for the rest of a hook, up to its timeout or the end of the fire. Never rejects. */
export async function waitForRest(work: BackgroundWork, cancellation: Cancellation): Promise<Completion> {
  let onCancel: (() => void) | undefined;
  const cancelled = new Promise<typeof CANCELLED>((resolve) => {
    onCancel = () => resolve(CANCELLED);
    if (cancellation.cancelled) onCancel();
    else cancellation.add(onCancel);
  });
  try {
    const first = Promise.race([Promise.resolve(work.output), cancelled]);
    const output = await pTimeout(first, { milliseconds: work.timeoutMs, fallback: () => TIMED_OUT });
    if (output === CANCELLED) return { kind: 'aborted' };
    if (output === TIMED_OUT) return { kind: 'timed-out', timeoutMs: work.timeoutMs };
    return { kind: 'returned', output };
  } catch (error) {
    return { kind: 'threw', error: toError(error) };
  } finally {
    if (onCancel !== undefined) cancellation.remove(onCancel);
  }
}
