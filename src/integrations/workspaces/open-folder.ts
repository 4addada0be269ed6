/** An open folder that stays the same while it is read, even if its path is replaced meanwhile. */
import { existsSync, constants as fs } from 'node:fs';
import { type FileHandle, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Windows has neither; links of other users cannot be opened there anyway. */
const NO_LINKS = fs.O_NOFOLLOW ?? 0;
const NO_WAITING = fs.O_NONBLOCK ?? 0;

/**
 * Where the system supports it, names are resolved relative to the open folder, so that no link can be inserted into
 * the path.
 */
const HANDLES = '/proc/self/fd';
const hasHandles = process.platform === 'linux' && existsSync(HANDLES);

export class OpenFolder {
  readonly #handle: FileHandle;
  readonly #base: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#base = hasHandles ? `${HANDLES}/${handle.fd}` : path;
  }

  /** Rejects if the last segment of the path is a link, or not a folder. */
  static async open(path: string): Promise<OpenFolder> {
    return new OpenFolder(await open(path, fs.O_RDONLY | (fs.O_DIRECTORY ?? 0) | NO_LINKS), path);
  }

  /** The path of an entry. */
  at(name: string): string {
    return join(this.#base, name);
  }

  enter(name: string): Promise<OpenFolder> {
    return OpenFolder.open(this.at(name));
  }

  /** Rejects for links; does not block on a pipe. */
  openFile(name: string): Promise<FileHandle> {
    return open(this.at(name), fs.O_RDONLY | NO_LINKS | NO_WAITING);
  }

  identity(): ReturnType<typeof identityOf> {
    return identityOf(this.#handle);
  }

  /** Sorted; `isAll` is false if there are more than `most`. */
  async names(most: number): Promise<{ readonly names: readonly string[]; readonly isAll: boolean }> {
    const names: string[] = [];
    // The loop closes the folder, even if it ends early.
    for await (const { name } of await opendir(this.at('.'))) {
      if (names.length >= most) return { names: names.sort(), isAll: false };
      names.push(name);
    }
    return { names: names.sort(), isAll: true };
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** Identifies a file or folder, independent of its path. */
export async function identityOf(handle: FileHandle): Promise<string> {
  const { dev, ino } = await handle.stat({ bigint: true });
  return `${dev}:${ino}`;
}
