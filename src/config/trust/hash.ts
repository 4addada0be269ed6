/** Digests of texts and of untrusted files: a pipe does not block, and a huge file does not stall. */
import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Reading more on every start would be noticeable, and scripts are smaller. */
const MAX_FILE = 64 * 1024 * 1024;
/** Up to this size, reading a file takes hardly longer than stat, whose times would have to be trusted. */
const SMALL_FILE = 64 * 1024;
const CHUNK_BYTES = 1024 * 1024;
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Digests of larger files, with the state of the file at that time. */
const cachedDigests = new Map<string, { readonly stats: BigIntStats; readonly digest: string }>();

/** Contract: never throws. */
export async function digestFile(path: string): Promise<string> {
  try {
    const file = await open(path, FLAGS);
    try {
      const stats = await file.stat({ bigint: true });
      if (stats.size > MAX_FILE) return describeLarge(stats);
      const settled = isSettled(stats, Date.now());
      const found = `sha256:${await digest(file)}`;
      if (settled && isSameState(await file.stat({ bigint: true }), stats))
        cachedDigests.set(path, { stats, digest: found });
      return found;
    } finally {
      await file.close();
    }
  } catch (thrown) {
    return describeUnreadable(thrown);
  }
}

/**
 * The synchronous version. Undefined if it would take too long; then use `digestFile`. Contract: never throws; `path`
 * is not a pipe or device.
 */
export function digestFileNow(path: string): string | undefined {
  try {
    const file = openSync(path, FLAGS);
    try {
      const stats = fstatSync(file, { bigint: true });
      if (stats.size <= SMALL_FILE) return `sha256:${sha256(readFileSync(file))}`;
      if (stats.size > MAX_FILE) return describeLarge(stats);
      const known = cachedDigests.get(path);
      return isSameState(known?.stats, stats) ? known?.digest : undefined;
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    return describeUnreadable(thrown);
  }
}

/** A process can set the size and the modification time of a file, but not its change time (ctime). */
export function isSameState(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.ctimeNs === other.ctimeNs &&
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.size === other.size &&
    one.mtimeNs === other.mtimeNs &&
    one.mode === other.mode
  );
}

/** The coarsest timestamp resolution of file systems in use. */
const CLOCK_TICK_MS = 2000;

/**
 * Whether every change after `now` will show in the stats. If the file changed within the last tick of the clock,
 * another change might leave the same times.
 */
export function isSettled(stats: BigIntStats | undefined, now: number): boolean {
  return stats === undefined || Number(stats.ctimeMs) < now - CLOCK_TICK_MS;
}

function describeLarge({ size, ino, ctimeNs }: BigIntStats): string {
  return `large:${size}:${ino}:${ctimeNs}`;
}

function describeUnreadable(thrown: unknown): string {
  return `unreadable:${(thrown as NodeJS.ErrnoException).code ?? 'unknown'}`;
}

async function digest(file: Awaited<ReturnType<typeof open>>): Promise<string> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  // A file that grows while being read is cut off; it only matters that the digest differs.
  for (let at = 0; at <= MAX_FILE; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex');
}
