/** Copies one file as it was at one moment, or not at all. */

import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { PRIVATE_FILE } from '../../base/files/private.js';
import type { OpenFolder } from './open-folder.js';
import { beginsWithKey } from './secrets.js';
import type { LeftOut } from './selection.js';

/** A file that changes while it is read is read again. */
const MAX_ATTEMPTS = 3;
const PIECE = 64 * 1024;

export type CopiedFile =
  | { readonly ok: true; readonly bytes: number }
  | ({ readonly ok: false } & Omit<LeftOut, 'path'>);

export interface FileCopy {
  readonly folder: OpenFolder;
  readonly name: string;
  readonly target: string;
  /** Maximum bytes of one file, and bytes left for all remaining ones. */
  readonly most: number;
  readonly left: number;
  readonly mayBeKey: boolean;
  readonly signal: AbortSignal;
}

/** Rejects if the copy cannot be written; problems with the original are returned. */
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
  if (!info.isFile()) return { ok: false, reason: 'special', why: 'it is not a regular file' };
  const size = `it has ${info.size} bytes`;
  if (info.size > BigInt(most))
    return { ok: false, reason: 'too-large', why: `${size}, and the limit for a file is ${most}` };
  if (info.size > BigInt(left))
    return { ok: false, reason: 'too-large', why: `${size}, and only ${left} are left` };
  return undefined;
}

const PRIVATE_PROGRAM = 0o700;

/** Only the owner may use the copy; executables stay executable. */
function modeOf({ mode }: BigIntStats): number {
  return mode & 0o100n ? PRIVATE_PROGRAM : PRIVATE_FILE;
}

function isSame(before: BigIntStats, after: BigIntStats): boolean {
  return before.size === after.size && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}

/** Returns read errors; write errors are thrown. */
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
  if (code === 'ENXIO') return { ok: false, reason: 'special', why: 'it is not a regular file' };
  return { ok: false, reason: 'unreadable', why: `it cannot be read (${code})` };
}
