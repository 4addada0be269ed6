/** Folders that only their owner can look into: made, or checked where they are there already. */

import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { HookError, messageOf, show } from '../../base/errors.js';
import { makePrivateFolder } from '../../base/files/private.js';

/** The real path of a private folder. Throws a HookError for what is none, and cannot be made one. */
export async function openPrivateFolder(path: string, user = process.getuid?.()): Promise<string> {
  if (typeof path !== 'string' || !isAbsolute(path) || path.includes('\0'))
    throw refuse(path, 'give an absolute path');
  let info: Awaited<ReturnType<typeof lstat>>;
  try {
    await makePrivateFolder(path);
    info = await lstat(path);
  } catch (cause) {
    throw refuse(path, messageOf(cause), cause);
  }
  if (info.isSymbolicLink()) throw refuse(path, 'it is a link; give the folder it leads to');
  if (user !== undefined && info.uid !== user) throw refuse(path, 'it belongs to another user');
  if (user !== undefined && (info.mode & 0o077) !== 0)
    throw refuse(path, 'others may look into it; `chmod 700` it, or give a new one');
  return realpath(path);
}

function refuse(path: unknown, why: string, cause?: unknown): HookError {
  return new HookError(
    'invalid_option',
    `Copies of workspaces cannot be kept in ${show(path)}: ${why}.`,
    cause === undefined ? {} : { cause },
  );
}
