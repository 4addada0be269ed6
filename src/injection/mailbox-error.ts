/** The error that a mailbox throws when it rejects a call, with the reason. */
import { HookError } from '../base/errors.js';

/**
 * Why a mailbox rejected a call.
 *
 * - `invalid`: the item, the request or the snapshot is invalid.
 * - `duplicate`: another item has the same id.
 * - `full`: the mailbox holds its maximum number of items.
 * - `not-empty`: a snapshot can only be restored before anything was put.
 * - `closed`: the mailbox has been closed.
 */
export type MailboxProblem = 'invalid' | 'duplicate' | 'full' | 'not-empty' | 'closed';

/** Thrown when a mailbox rejects a call. Its `code` is `disposed` after `close`, otherwise `invalid_input`. */
export class MailboxError extends HookError {
  readonly problem: MailboxProblem;

  constructor(problem: MailboxProblem, message: string, options?: ErrorOptions) {
    super(problem === 'closed' ? 'disposed' : 'invalid_input', message, options);
    this.problem = problem;
  }
}

Object.defineProperty(MailboxError.prototype, 'name', {
  value: 'MailboxError',
  configurable: true,
  writable: true,
});

/** Whether the item itself is invalid, so that a retry cannot succeed. Other errors may be temporary. */
export function isItemAtFault(error: unknown): boolean {
  if (error instanceof MailboxError) return error.problem === 'invalid' || error.problem === 'duplicate';
  return error instanceof HookError && error.code === 'invalid_matcher';
}
