/** Notices from other agents and from the user, waiting until the agent reads them. */
import { abortable } from '../../base/async/abortable.js';

export interface Notice {
  /** The sender: an agent's id or name. */
  readonly from: string;
  readonly text: string;
  /** The user wrote it, so it is no reminder of the program. */
  readonly isUsers?: true;
  /** It is worth a turn of its own, even if nobody asked for one. */
  readonly wakes?: true;
  /** What people see when the agent reads it. */
  readonly summary?: string;
}

export class Inbox {
  #notices: Notice[] = [];
  #wake: (() => void) | undefined;

  put(notice: Notice): void {
    this.#notices.push(notice);
    this.#wake?.();
  }

  /** Returns all waiting notices and empties the inbox. */
  take(): readonly Notice[] {
    const taken = this.#notices;
    this.#notices = [];
    return taken;
  }

  get isEmpty(): boolean {
    return this.#notices.length === 0;
  }

  /** Whether a notice waits that is worth a turn of its own. */
  get wakes(): boolean {
    return this.#notices.some(({ wakes }) => wakes === true);
  }

  /** Resolves when there is a notice, when `instead` settles, or on abort; never rejects. */
  async waitForNotice(instead: Promise<unknown>, signal: AbortSignal): Promise<void> {
    if (!this.isEmpty || signal.aborted) return;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await abortable(Promise.race([woken, instead]), signal).catch(() => {});
    this.#wake = undefined;
  }
}
