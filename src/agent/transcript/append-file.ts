/** Appends whole lines to a private file, whatever happened to the file before. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from '../../base/files/private.js';

const LINE_END = 0x0a;

/**
 * Links are not followed, because they could lead anywhere. O_NONBLOCK keeps opening a pipe from blocking forever.
 * The file is opened for reading too, to check its last byte.
 */
const FLAGS =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/**
 * Creates the file and its directories if missing, readable only by this user. Rejects if the file cannot be used.
 */
export async function createFile(path: string): Promise<void> {
  const { file } = await openFile(path);
  await file.close();
}

/** Where an append left off: if the file is still the same and as long, it ends with a line. */
export interface FileEnd {
  readonly inode: number;
  readonly size: number;
}

/**
 * Appends lines in one write call. If the last line of the file was cut off, writes a line end first. Opens the file
 * each time: it may have been removed, replaced by a link, or truncated since. `last`: what the append before returned.
 */
export async function appendLines(path: string, lines: string, last?: FileEnd): Promise<FileEnd> {
  const { file, inode, size } = await openFile(path);
  try {
    const isKnown = last !== undefined && last.inode === inode && last.size === size;
    const isWhole = isKnown || (await endsWithLine(file, size));
    const bytes = Buffer.from(isWhole ? lines : `\n${lines}`);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length)
      throw Object.assign(new Error(`only ${bytesWritten} of ${bytes.length} bytes could be written`), {
        code: 'ENOSPC',
      });
    return { inode, size: size + bytesWritten };
  } finally {
    // What was written is in the file: hooks need not wait for this.
    file.close().catch(() => {});
  }
}

async function openFile(path: string): Promise<FileEnd & { readonly file: FileHandle }> {
  const attempt = (): Promise<FileHandle> => open(path, FLAGS, PRIVATE_FILE);
  const file = await attempt().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await makePrivateFolder(dirname(path));
    return attempt();
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error('it is not a regular file');
    return { file, inode: stats.ino, size: stats.size };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function endsWithLine(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 0 || buffer[0] === LINE_END;
}
