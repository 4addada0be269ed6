/** Digests of texts and of files that others control: a pipe does not hang it, a huge file does not stall it. */
import { createHash } from 'node:crypto';
import { constants, open } from 'node:fs/promises';

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Reading more on every start would be felt; a script is not so large. */
const LARGEST_FILE = 64 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/** Contract: never throws. */
export async function digestFile(path: string): Promise<string> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size, ino, ctimeNs } = await file.stat({ bigint: true });
      // The time of change cannot be set by what a repository contains, so any edit still shows.
      if (size > LARGEST_FILE) return `large:${size}:${ino}:${ctimeNs}`;
      return `sha256:${await digest(file)}`;
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return `unreadable:${(thrown as NodeJS.ErrnoException).code ?? 'unknown'}`;
  }
}

async function digest(file: Awaited<ReturnType<typeof open>>): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  // A file that grows while it is read is cut off: what counts is that it differs.
  for (let at = 0; at <= LARGEST_FILE; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex');
}
