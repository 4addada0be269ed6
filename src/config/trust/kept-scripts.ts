/** Private copies of approved scripts, stored next to the trust store, to show later changes line by line. */

import { constants, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder, writePrivate } from '../../base/files/private.js';
import { sha256 } from './hash.js';

/** Larger scripts are compared by digest only. */
const MAX_BYTES = 64 * 1024;

const DIGEST = /^sha256:([0-9a-f]{64})$/;

/**
 * A script is stored under the digest of its content: equal scripts are stored once, and an altered copy is detected.
 */
function scriptFolder(store: string): string {
  return `${store}.scripts`;
}

/** Stores the files whose content still matches its digest. A failure only loses the comparison: never rejects. */
export async function keepScripts(
  store: string,
  files: readonly { readonly path: string; readonly content: string }[],
): Promise<void> {
  const folder = scriptFolder(store);
  for (const { path, content } of files) {
    const [, digest] = DIGEST.exec(content) ?? [];
    const text = digest === undefined ? undefined : await readScript(path);
    if (digest === undefined || text === undefined || sha256(text) !== digest) continue;
    try {
      await makePrivateFolder(folder);
      await writePrivate(join(folder, digest), text, { durable: false });
    } catch {
      // It already exists, or there is no space left.
    }
  }
}

/** Deletes the scripts that no approval refers to. Never rejects. */
export async function pruneScripts(store: string, contents: ReadonlySet<string>): Promise<void> {
  const folder = scriptFolder(store);
  const kept = await readdir(folder).catch(() => []);
  const stale = kept.filter((name) => !contents.has(`sha256:${name}`));
  await Promise.allSettled(stale.map((name) => rm(join(folder, name), { force: true })));
}

/** The approved script with this digest; undefined if it was not stored or has been altered. */
export async function keptScript(store: string, content: string): Promise<string | undefined> {
  const [, digest] = DIGEST.exec(content) ?? [];
  if (digest === undefined) return undefined;
  const text = await readScript(join(scriptFolder(store), digest));
  return text !== undefined && sha256(text) === digest ? text : undefined;
}

/** A text file of moderate size; undefined for anything else. Never rejects. */
export async function readScript(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
      const text = await file.readFile('utf8');
      return text.includes('\0') || text.includes('\ufffd') ? undefined : text;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
