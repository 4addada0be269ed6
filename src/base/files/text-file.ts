/**
 * Reads a configuration file. Accepts only regular files of limited size, never something that blocks or does not end.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const MAX_BYTES = 4 * 1024 * 1024;

/** Resolves to undefined if there is no such file. Rejects if it exists but cannot be a configuration file. */
export async function readTextFile(path: string): Promise<string | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error('it is not a regular file');
    if (stats.size > MAX_BYTES) throw new Error(`it has ${stats.size} bytes, at most ${MAX_BYTES} are read`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/**
 * A directory of the user, from a variable if it holds an absolute path: a workspace could control where a relative one
 * points.
 */
export function userDirectory(variable: string | undefined, ...fallback: string[]): string {
  return variable !== undefined && isAbsolute(variable) ? variable : join(homedir(), ...fallback);
}
