/** One file, copied as it was at one moment, or not at all. */

import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { PRIVATE_FILE } from '../../base/files/private.js';
import type { OpenFolder } from './open-folder.js';
import { beginsWithKey } from './secrets.js';
import type { LeftOut } from './selection.js';

/** Somebody may write to it while it is read; then it is read again. */
const MAX_ATTEMPTS = 3;
const PIECE = 64 * 1024;

export type CopiedFile =
  | { readonly ok: true; readonly bytes: number }
  | ({ readonly ok: false } & Omit<LeftOut, 'path'>);

export interface FileCopy {
  readonly folder: OpenFolder;
  readonly name: string;
  readonly target: string;
  /** Bytes for one file, and for all that are still to come. */
  readonly most: number;
  readonly left: number;
  readonly mayBeKey: boolean;
  readonly signal: AbortSignal;
}

/** Rejects when the copy cannot be written; what is wrong with the original is a value. */
export async function copyFile(task: FileCopy): Promise<CopiedFile> {
  const { target } = task;
  let source: FileHandle;
  try {
    source = await task.folder.openFile(task.name);
  } catch (error) {
    return unreadable(error);
  }
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const before = await source.stat({ bigint: true });
      const refused = refuse(before, task);
      if (refused !== undefined) return refused;
      const done = await copyOnce(source, before, task);
      if (done === 'copied' && isSame(before, await source.stat({ bigint: true })))
        return { ok: true, bytes: Number(before.size) };
      await rm(target, { force: true });
      if (done === 'secret') return { ok: false, reason: 'secret', why: 'it is a private key' };
      if (done instanceof Error) return unreadable(done);
    }
    return { ok: false, reason: 'changing', why: 'it was written to while it was read' };
  } finally {
    await source.close();
  }
}

function refuse(info: BigIntStats, { most, left }: FileCopy): CopiedFile | undefined {
  if (!info.isFile()) return { ok: false, reason: 'special', why: 'it is no regular file' };
  const size = `it has ${info.size} bytes`;
  if (info.size > BigInt(most))
    return { ok: false, reason: 'too-large', why: `${size}, a file may have ${most}` };
  if (info.size > BigInt(left))
    return { ok: false, reason: 'too-large', why: `${size}, and there is room for ${left} more` };
  return undefined;
}

const PRIVATE_PROGRAM = 0o700;

/** Only its owner may use a copy; a program stays one. */
function modeOf({ mode }: BigIntStats): number {
  return mode & 0o100n ? PRIVATE_PROGRAM : PRIVATE_FILE;
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}

/** An error is one of reading; those of writing are thrown. */
async function copyOnce(
  source: FileHandle,
  info: BigIntStats,
  { target, mayBeKey, signal }: FileCopy,
): Promise<'copied' | 'shorter' | 'secret' | Error> {
  const size = Number(info.size);
  const copy = await open(target, 'wx', modeOf(info));
  try {
    const piece = Buffer.allocUnsafe(Math.max(1, Math.min(PIECE, size)));
    for (let at = 0; at < size; ) {
      signal.throwIfAborted();
      const bytes = await read(source, piece, Math.min(piece.length, size - at), at);
      if (bytes instanceof Error) return bytes;
      if (bytes === 0) return 'shorter';
      if (at === 0 && !mayBeKey && beginsWithKey(piece.subarray(0, bytes))) return 'secret';
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
