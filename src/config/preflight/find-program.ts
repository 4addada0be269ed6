/**
 * Inspects files the way the system does before it starts one: resolves the name, checks the file, reads its beginning.
 */
import type { Stats } from 'node:fs';
import { access, constants, open, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Used if PATH is not set. Wider than what some shells search, because a false report is worse than none. */
const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The first 4 KB of a file cover its first line and show its line endings. */
const BEGINNING_BYTES = 4096;

export type Found =
  | { readonly kind: 'executable' | 'plain' | 'not-a-file'; readonly path: string }
  | { readonly kind: 'missing'; readonly path?: string }
  /** Something exists that this process may not inspect. */
  | { readonly kind: 'unknown'; readonly path: string };

/** A name with a slash is a path; any other name is searched in PATH, where only executable files count. */
export async function findProgram(name: string, cwd: string, env: Variables): Promise<Found> {
  if (name.includes('/')) return inspect(resolve(cwd, name));
  let second: Found = { kind: 'missing' };
  for (const folder of (env['PATH'] ?? USUAL_PATH).split(delimiter)) {
    const found = await inspect(join(isAbsolute(folder) ? folder : resolve(cwd, folder), name));
    if (found.kind === 'executable' || found.kind === 'unknown') return found;
    if (found.kind === 'plain' && second.kind === 'missing') second = found;
  }
  return second;
}

export async function inspect(path: string): Promise<Found> {
  const stats = await statOf(path);
  if (stats === 'missing') return { kind: 'missing', path };
  if (stats === 'unknown') return { kind: 'unknown', path };
  if (!stats.isFile()) return { kind: 'not-a-file', path };
  try {
    await access(path, constants.X_OK);
    return { kind: 'executable', path };
  } catch {
    return { kind: 'plain', path };
  }
}

export async function isDirectory(path: string): Promise<boolean | 'unknown'> {
  const stats = await statOf(path);
  if (typeof stats === 'string') return stats === 'missing' ? false : 'unknown';
  return stats.isDirectory();
}

/** The first bytes of a regular file, one character per byte; undefined if they cannot be read. */
export async function beginningOf(path: string): Promise<string | undefined> {
  try {
    // Non-blocking: the file may have become a pipe since it was inspected.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

async function statOf(path: string): Promise<Stats | 'missing' | 'unknown'> {
  try {
    return await stat(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unknown';
  }
}
