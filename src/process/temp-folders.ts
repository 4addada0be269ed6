/** Private folders for temporary files: removed when this process ends, or by a later process if it could not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentOwner, isGone, type Owner, readOwner, writeOwner } from './owner.js';

const NAME = /^hookline-(?:env|bash)-([0-9a-f]+-\d+-\d+)-\w{6}$/;

const folders = new Set<string>();
/** Directories already checked for leftovers of other processes. */
const swept = new Set<string>();
let self: Owner | undefined;

/** Only this user can enter it. The kind is part of its name. Throws the system's error. */
export function makeTempFolder(kind: 'env' | 'bash'): string {
  const place = tmpdir();
  self ??= currentOwner();
  const folder = mkdtempSync(join(place, `hookline-${kind}-${writeOwner(self)}-`));
  if (folders.size === 0) process.on('exit', removeAll);
  folders.add(folder);
  if (!swept.has(place)) {
    swept.add(place);
    // Runs in the background.
    void sweep(place, self).catch(() => {});
  }
  return folder;
}

export function removeTempFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  if (folders.delete(folder) && folders.size === 0) process.off('exit', removeAll);
}

function removeAll(): void {
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // A later process tries again.
    }
  }
}

/** Removes leftovers of this user's processes that are certainly gone. */
async function sweep(place: string, owner: Owner): Promise<void> {
  const left = (await readdir(place)).filter((name) => {
    const other = readOwner(NAME.exec(name)?.[1] ?? '');
    return other !== undefined && isGone(other, owner);
  });
  await Promise.allSettled(left.map((name) => removeOwn(join(place, name))));
}

/** A link of that name is removed, not followed. */
async function removeOwn(path: string): Promise<void> {
  const { uid } = await lstat(path);
  if (uid === (process.getuid?.() ?? uid)) await rm(path, { recursive: true, force: true });
}
