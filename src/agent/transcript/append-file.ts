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

/**
 * Appends lines in one write call. If the last line of the file was cut off, writes a line end first. Opens the file
 * each time: it may have been removed, replaced by a link, or truncated since.
 */
export async function appendLines(path: string, lines: string): Promise<void> {
  const { file, size } = await openFile(path);
  try {
    const bytes = Buffer.from((await endsWithLine(file, size)) ? lines : `\n${lines}`);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length)
      throw Object.assign(new Error(`only ${bytesWritten} of ${bytes.length} bytes could be written`), {
        code: 'ENOSPC',
      });
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<{ readonly file: FileHandle; readonly size: number }> {
  const attempt = (): Promise<FileHandle> => open(path, FLAGS, PRIVATE_FILE);
  const file = await attempt().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await makePrivateFolder(dirname(path));
    return attempt();
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error('it is not a regular file');
    return { file, size: stats.size };
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
