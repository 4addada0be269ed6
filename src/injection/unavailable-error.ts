/** The error for a server that is unavailable or rejects a call; a retry may succeed. */

/** What is known about a failed call. */
export interface UnavailableDetails {
  /** Whether the call may have been executed nevertheless. */
  readonly mayHaveHappened: boolean;
  /** Whether the server is out of memory. */
  readonly outOfMemory?: boolean;
  readonly cause?: unknown;
}

/** Thrown when the server does not respond or rejects a call. A retry may succeed. */
export class MailboxUnavailableError extends Error {
  /** Whether the call may have been executed nevertheless. */
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
