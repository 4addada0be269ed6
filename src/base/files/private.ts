/** Files and folders that only their owner can read: made private, whatever the umask says, and whole or not at all. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;

/** With those above it that are missing. Resolves to the first that was made; undefined: it was there already. */
export function makePrivateFolder(path: string): Promise<string | undefined> {
  return mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/**
 * Makes a new file, which is on the disk when this resolves unless `durable` is false. Rejects when there is one, or a
 * link, already; when it rejects, it leaves no file.
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

/** A new file takes the old one's place when it is whole and on the disk. The mode of the old one is not kept. */
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

/** So that names survive a power cut too; where directories cannot be synced it has to do without. */
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
