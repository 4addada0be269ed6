/** A folder that stays the same one while it is read, whatever is put in its place meanwhile. */
import { existsSync, constants as fs } from 'node:fs';
import { type FileHandle, open, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** Windows has neither; there, nothing is opened through a link of another user anyway. */
const NO_LINKS = fs.O_NOFOLLOW ?? 0;
const NO_WAITING = fs.O_NONBLOCK ?? 0;

/** Where the system has it, names are looked up in the open folder itself: nobody can slip a link into the way. */
const HANDLES = '/proc/self/fd';
const hasHandles = process.platform === 'linux' && existsSync(HANDLES);

export class OpenFolder {
  readonly #handle: FileHandle;
  readonly #base: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#base = hasHandles ? `${HANDLES}/${handle.fd}` : path;
  }

  /** Rejects when the last part of the path is a link, or no folder. */
  static async open(path: string): Promise<OpenFolder> {
    return new OpenFolder(await open(path, fs.O_RDONLY | (fs.O_DIRECTORY ?? 0) | NO_LINKS), path);
  }

  /** The path of something in it. */
  at(name: string): string {
    return join(this.#base, name);
  }

  enter(name: string): Promise<OpenFolder> {
    return OpenFolder.open(this.at(name));
  }

  /** Rejects for links; never waits for whoever writes into a pipe. */
  openFile(name: string): Promise<FileHandle> {
    return open(this.at(name), fs.O_RDONLY | NO_LINKS | NO_WAITING);
  }

  identity(): ReturnType<typeof identityOf> {
    return identityOf(this.#handle);
  }

  /** In order; `isAll` is false when there are more than so many. */
  async names(most: number): Promise<{ readonly names: readonly string[]; readonly isAll: boolean }> {
    const names: string[] = [];
    // The loop closes the folder, also when it is left early.
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

/** What makes a file or folder the same one. */
export async function identityOf(handle: FileHandle): Promise<string> {
  const { dev, ino } = await handle.stat({ bigint: true });
  return `${dev}:${ino}`;
}
