/** The error for failed disk operations, with the system's error code. No partial change remains when it is thrown. */
import { HookError, messageOf } from '../../../base/errors.js';

/** Thrown when a disk operation fails. No partial change remains; the message says what to do. */
export class MailboxDiskError extends Error {
  /** The system's error code: `ENOSPC`, `EACCES`, `ENOENT`, … */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

Object.defineProperty(MailboxDiskError.prototype, 'name', {
  value: 'MailboxDiskError',
  configurable: true,
  writable: true,
});

export function codeOf(thrown: unknown): string | undefined {
  const code: unknown = (thrown as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The folder is replaced by something else or cannot be accessed; the disk itself works. */
export function isFolderProblem(thrown: unknown): boolean {
  if (thrown instanceof HookError) return true;
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(thrown) ?? '');
}

/** Errors about invalid input are returned unchanged; all others become disk errors. */
export function toDiskError(call: string, directory: string, thrown: unknown): Error {
  if (thrown instanceof HookError || thrown instanceof MailboxDiskError) return thrown;
  const code = codeOf(thrown);
  if (code === undefined) return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
  const message = `The mailbox in '${directory}' failed at ${call}: ${messageOf(thrown)}. ${adviceFor(code)}`;
  return new MailboxDiskError(code, message, { cause: thrown });
}

function adviceFor(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return 'Free some disk space and retry.';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'A part of the directory is missing: reopen the mailbox.';
    case 'EPERM':
    case 'ENOTSUP':
    case 'EXDEV':
      return 'It needs a local file system that supports hard links.';
    default:
      return 'Check the disk and retry.';
  }
}
