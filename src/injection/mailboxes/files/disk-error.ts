/** What the disk refused: told to the caller with the system's own code. Nothing is half done when it is thrown. */
import { HookError, messageOf } from '../../../base/errors.js';

/** What the disk refused. Nothing is half done when it is thrown; the message says what to do. */
export class MailboxDiskError extends Error {
  /** As the system calls it: `ENOSPC`, `EACCES`, `ENOENT`, … */
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

/** Something else stands in the place of a folder, or it may not be looked into; the disk itself is well. */
export function isFolderProblem(thrown: unknown): boolean {
  if (thrown instanceof HookError) return true;
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(thrown) ?? '');
}

/** Refusals of the caller's own mistakes stay as they are; the rest is the disk's doing. */
export function toDiskError(call: string, directory: string, thrown: unknown): Error {
  if (thrown instanceof HookError || thrown instanceof MailboxDiskError) return thrown;
  const code = codeOf(thrown);
  if (code === undefined) return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
  const message = `The mailbox in '${directory}' cannot carry out ${call}: ${messageOf(thrown)}. ${adviceFor(code)}`;
  return new MailboxDiskError(code, message, { cause: thrown });
}

function adviceFor(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return 'Make room and call again.';
    case 'ENOENT':
    case 'ENOTDIR':
      return 'Part of the directory is gone: open the mailbox anew.';
    case 'EPERM':
    case 'ENOTSUP':
    case 'EXDEV':
      return 'It needs a file system of this machine that has hard links.';
    default:
      return 'See to the disk and call again.';
  }
}
