/**
 * Files and folders readable only by their owner, whatever the umask is. Files are written completely or not at all.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;

/** Creates missing parents too. Resolves to the first folder that was created, or undefined if it already existed. */
export function makePrivateFolder(path: string): Promise<string | undefined> {
  return mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Creates a new file and, unless `durable` is false, syncs it to disk. Rejects if a file or link already exists there;
 * on rejection no file is left behind.
 */
export async function writePrivate(path: string, text: string, { durable = true } = {}): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NOFOLLOW;
  const file = await open(path, flags, PRIVATE_FILE);
  try {
    await file.chmod(PRIVATE_FILE);
    await file.writeFile(text);
    if (durable) await file.sync();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
  await file.close();
}

/** Replaces a file once the new one is complete and on disk. The mode of the old file is not kept. */
export async function replacePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  await writePrivate(draft, text);
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolders(dirname(path));
}

/** Makes renames survive a power failure, on platforms where directories can be synced. */
export async function syncFolders(...folders: readonly string[]): Promise<void> {
  await Promise.all(
    folders.map(async (folder) => {
      try {
        const handle = await open(folder, constants.O_RDONLY | NOFOLLOW);
        await handle.sync().finally(() => handle.close());
      } catch {}
    }),
  );
}
