/** Brings what a source has handed over into the mailbox; what finds no room there is kept and tried again. */
import { isItemAtFault, MailboxError } from '../mailbox-error.js';
import type { Mailbox, NewInjection } from '../port.js';

export class Intake {
  readonly #mailbox: Pick<Mailbox, 'put'>;
  readonly #waiting: NewInjection[] = [];

  constructor(mailbox: Pick<Mailbox, 'put'>) {
    this.#mailbox = mailbox;
  }

  /**
   * A source gives things away once, so they must not be lost when the mailbox is full or cannot be used. What no mailbox
   * could hold is not kept: it would stand in the way for ever. Rejects with the first problem there was.
   */
  async add(items: readonly NewInjection[]): Promise<void> {
    this.#waiting.push(...items);
    let problem: unknown;
    while (this.#waiting.length > 0) {
      const next = this.#waiting.shift() as NewInjection;
      try {
        await this.#mailbox.put(next);
      } catch (error) {
        problem ??= error;
        if (isHopeless(error)) continue;
        this.#waiting.unshift(next);
        break;
      }
    }
    if (problem !== undefined) throw problem;
  }
}

/** A mailbox that has been closed is not opened again. */
function isHopeless(error: unknown): boolean {
  return isItemAtFault(error) || (error instanceof MailboxError && error.problem === 'closed');
}
