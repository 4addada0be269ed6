/** What others have to tell an agent while it works, or while it waits for something to do. */
import { abortable } from '../../base/async/abortable.js';

export interface Notice {
  /** Who tells it: an agent's id or name. */
  readonly from: string;
  readonly text: string;
}

export class Inbox {
  #notices: Notice[] = [];
  #wake: (() => void) | undefined;

  put(notice: Notice): void {
    this.#notices.push(notice);
    this.#wake?.();
  }

  /** Hands over everything that has come; each notice once. */
  take(): readonly Notice[] {
    const taken = this.#notices;
    this.#notices = [];
    return taken;
  }

  get isEmpty(): boolean {
    return this.#notices.length === 0;
  }

  /** Settles when there is something, when `instead` does, or on abort; never rejects. */
  async somethingOr(instead: Promise<unknown>, signal: AbortSignal): Promise<void> {
    if (!this.isEmpty || signal.aborted) return;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await abortable(Promise.race([woken, instead]), signal).catch(() => {});
    this.#wake = undefined;
  }
}
