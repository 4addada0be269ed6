/** Folders that only their owner can read: created, or checked if they exist. */

import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { HookError, messageOf, show } from '../../base/errors.js';
import { makePrivateFolder } from '../../base/files/private.js';

/** Returns the real path of a private folder. Throws a HookError if it is not private or cannot be created. */
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
  if (info.isSymbolicLink()) throw refuse(path, 'it is a link; give its target');
  if (user !== undefined && info.uid !== user) throw refuse(path, 'it belongs to another user');
  if (user !== undefined && (info.mode & 0o077) !== 0)
    throw refuse(path, 'other users can access it; run `chmod 700` on it, or give a new one');
  return realpath(path);
}

function refuse(path: unknown, why: string, cause?: unknown): HookError {
  return new HookError(
    'invalid_option',
    `Copies of workspaces cannot be kept in ${show(path)}: ${why}.`,
    cause === undefined ? {} : { cause },
  );
}
