/** Adds text to a private file so that what is added is whole, whatever happened to the file before. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from '../../base/files/private.js';

const LINE_END = 0x0a;

/**
 * No link is followed: it could lead anywhere. Without O_NONBLOCK opening a pipe could wait for ever. The file is read
 * too, for its last byte.
 */
const FLAGS =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/** Makes the file and its directories when they are missing, readable by this user alone. Rejects when it cannot be used. */
export async function createFile(path: string): Promise<void> {
  const { file } = await openFile(path);
  await file.close();
}

/**
 * Adds lines in one write call. A file whose last line was cut gets a line end first. The file is opened anew each
 * time: it may have been removed, replaced by a link, or cut since.
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
    if (!stats.isFile()) throw new Error('it is no regular file');
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
