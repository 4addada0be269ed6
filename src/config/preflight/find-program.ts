/** Looks at files as the system would before it starts one: where a name leads, what is there, how it begins. */
import type { Stats } from 'node:fs';
import { access, constants, open, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Where shells look when no PATH is set; wider than what some do, because a wrong finding is worse than none. */
const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The first 4 KB of a file are enough for its first line and its line endings. */
const BEGINNING_BYTES = 4096;

export type Found =
  | { readonly kind: 'executable' | 'plain' | 'not-a-file'; readonly path: string }
  | { readonly kind: 'missing'; readonly path?: string }
  /** Something is there that this process may not look at. */
  | { readonly kind: 'unknown'; readonly path: string };

/** A name with a slash is a path; any other is looked up in PATH, where only executable files count. */
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

/** The first bytes of a regular file, one character for each; undefined where they cannot be read. */
export async function beginningOf(path: string): Promise<string | undefined> {
  try {
    // Not blocking: the file may have become a pipe since it was looked at.
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
