/** The server could not be asked, or refused: nobody's mistake, and worth another try. */

/** What is known about a call that the server has not answered well. */
export interface UnavailableDetails {
  /** Whether the call may have been carried out all the same. */
  readonly mayHaveHappened: boolean;
  /** Whether the server has no memory left. */
  readonly outOfMemory?: boolean;
  readonly cause?: unknown;
}

/** A call that the server has not answered, or has refused. Making it again is worth a try. */
export class MailboxUnavailableError extends Error {
  /** Whether the call may have been carried out all the same. */
  readonly mayHaveHappened: boolean;
  readonly outOfMemory: boolean;

  constructor(message: string, { mayHaveHappened, outOfMemory = false, cause }: UnavailableDetails) {
    super(message, { cause });
    this.mayHaveHappened = mayHaveHappened;
    this.outOfMemory = outOfMemory;
  }
}

Object.defineProperty(MailboxUnavailableError.prototype, 'name', {
  value: 'MailboxUnavailableError',
  configurable: true,
  writable: true,
});
