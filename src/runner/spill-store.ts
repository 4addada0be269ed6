/** Saves whole texts of which the model got a preview, and removes them after a week. */

import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrivate } from '../base/files/private.js';

const PREFIX = 'hookline-texts-';
/** A transcript names these files, and may be resumed days later. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/** Writes to a directory that only this user can read; it is created when first needed. */
export class SpillStore {
  #directory: Promise<string> | undefined;
  #count = 0;

  /** The file's path, or undefined when it could not be written. Never rejects. */
  async save(text: string): Promise<string | undefined> {
    try {
      this.#directory ??= makeDirectory();
      this.#count += 1;
      const name = `text-${this.#count}.txt`;
      const path = join(await this.#directory, name);
      await writePrivate(path, text, { durable: false });
      return path;
    } catch {
      this.#directory = undefined;
      return undefined;
    }
  }
}

async function makeDirectory(): Promise<string> {
  const place = tmpdir();
  const directory = await mkdtemp(join(place, PREFIX));
  // It runs in the background.
  sweep(place).catch(() => {});
  return directory;
}

/** Removes what earlier sessions of this user left behind. */
async function sweep(place: string): Promise<void> {
  const oldest = Date.now() - KEPT_MS;
  for (const name of await readdir(place)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(place, name);
    const { mtimeMs, uid } = await lstat(path);
    const ours = uid === (process.getuid?.() ?? uid);
    // A link with such a name is removed, not followed.
    if (ours && mtimeMs < oldest) await rm(path, { recursive: true, force: true });
  }
}
