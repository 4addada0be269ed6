/** One file, copied as it was at one moment, or not at all. */
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { OpenFolder } from './open-folder.js';
import { beginsWithKey } from './secrets.js';
import type { LeftOut } from './selection.js';

/** Somebody may write to it while it is read; then it is read again. */
const MOST_ATTEMPTS = 3;
const PIECE = 64 * 1024;

export type CopiedFile =
  | { readonly ok: true; readonly bytes: number }
  | ({ readonly ok: false } & Omit<LeftOut, 'path'>);

export interface Room {
  /** For one file. */
  readonly each: number;
  /** For all that are still to come. */
  readonly left: number;
}

/** Rejects when the copy cannot be written; what is wrong with the original is a value. */
export async function copyFile(
  folder: OpenFolder,
  name: string,
  target: string,
  room: Room,
  signal: AbortSignal,
): Promise<CopiedFile> {
  let source: FileHandle;
  try {
    source = await folder.openFile(name);
  } catch (error) {
    return unreadable(error);
  }
  try {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      const before = await source.stat({ bigint: true });
      const refused = refuse(before, room);
      if (refused !== undefined) return refused;
      const done = await copyOnce(source, Number(before.size), target, modeOf(before), signal);
      if (done !== 'copied') await rm(target, { force: true });
      if (done === 'secret') return { ok: false, reason: 'secret', why: 'it is a private key' };
      if (done instanceof Error) return unreadable(done);
      if (done === 'copied' && isSame(before, await source.stat({ bigint: true })))
        return { ok: true, bytes: Number(before.size) };
      await rm(target, { force: true });
    }
    return { ok: false, reason: 'changing', why: 'it was written to while it was read' };
  } finally {
    await source.close();
  }
}

function refuse(info: BigIntStats, room: Room): CopiedFile | undefined {
  if (!info.isFile()) return { ok: false, reason: 'special', why: 'it is no regular file' };
  if (info.size > BigInt(room.each))
    return {
      ok: false,
      reason: 'too-large',
      why: `it has ${info.size} bytes, a file may have ${room.each}`,
    };
  if (info.size > BigInt(room.left))
    return {
      ok: false,
      reason: 'too-large',
      why: `it has ${info.size} bytes, and there is room for ${room.left} more`,
    };
  return undefined;
}

/** Only its owner may use a copy; a program stays one. */
function modeOf({ mode }: BigIntStats): number {
  return mode & 0o100n ? 0o700 : 0o600;
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return (
    before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs
  );
}

/** An error is one of reading; those of writing are thrown. */
async function copyOnce(
  source: FileHandle,
  size: number,
  target: string,
  mode: number,
  signal: AbortSignal,
): Promise<'copied' | 'shorter' | 'secret' | Error> {
  const copy = await open(target, 'wx', mode);
  try {
    const piece = Buffer.allocUnsafe(Math.max(1, Math.min(PIECE, size)));
    for (let at = 0; at < size; ) {
      signal.throwIfAborted();
      const bytes = await read(source, piece, Math.min(piece.length, size - at), at);
      if (bytes instanceof Error) return bytes;
      if (bytes === 0) return 'shorter';
      if (at === 0 && beginsWithKey(piece.subarray(0, bytes))) return 'secret';
      await copy.appendFile(piece.subarray(0, bytes));
      at += bytes;
    }
    return 'copied';
  } finally {
    await copy.close();
  }
}

async function read(source: FileHandle, piece: Buffer, length: number, at: number): Promise<number | Error> {
  try {
    return (await source.read(piece, 0, length, at)).bytesRead;
  } catch (error) {
    return error as Error;
  }
}

export function unreadable(error: unknown): { ok: false } & Omit<LeftOut, 'path'> {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? 'unknown error';
  if (code === 'ENXIO') return { ok: false, reason: 'special', why: 'it is no regular file' };
  return { ok: false, reason: 'unreadable', why: `it cannot be read (${code})` };
}
