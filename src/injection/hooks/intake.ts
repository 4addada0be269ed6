/** Puts items from a source into the mailbox; items that the mailbox rejects for now are kept and retried. */
import { isItemAtFault, MailboxError } from '../mailbox-error.js';
import type { Mailbox, NewInjection } from '../port.js';

export class Intake {
  readonly #mailbox: Pick<Mailbox, 'put'>;
  readonly #waiting: NewInjection[] = [];

  constructor(mailbox: Pick<Mailbox, 'put'>) {
    this.#mailbox = mailbox;
  }

  /**
   * A source returns each item only once, so items must not be lost when the mailbox is full or unavailable. Invalid
   * items are dropped, because they would block the others forever. Rejects with the first error.
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
        if (isPermanent(error)) continue;
        this.#waiting.unshift(next);
        break;
      }
    }
    if (problem !== undefined) throw problem;
  }
}

/** A closed mailbox cannot be reopened. */
function isPermanent(error: unknown): boolean {
  return isItemAtFault(error) || (error instanceof MailboxError && error.problem === 'closed');
}
