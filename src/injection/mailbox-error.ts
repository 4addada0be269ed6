/** Why a mailbox refused a call: said to the caller, never done in silence. */
import { HookError } from '../base/errors.js';

/**
 * Why a mailbox refused a call.
 *
 * - `invalid`: the item, the request or the snapshot does not fit.
 * - `duplicate`: another item has the same id.
 * - `full`: as many items wait as the mailbox may hold.
 * - `not-empty`: a snapshot can only be restored before anything was put.
 * - `closed`: the mailbox has been closed.
 */
export type MailboxProblem = 'invalid' | 'duplicate' | 'full' | 'not-empty' | 'closed';

/** What a mailbox has refused, and why. Its `code` is `disposed` after `close`, else `invalid_input`. */
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

/** Whether it lies in the item itself, so that no mailbox will ever take it; anything else is worth another try. */
export function isItemAtFault(error: unknown): boolean {
  if (error instanceof MailboxError) return error.problem === 'invalid' || error.problem === 'duplicate';
  return error instanceof HookError && error.code === 'invalid_matcher';
}
