/** The few things that are done with files here: private, following no link, whole or not at all. */
import { constants, type Stats } from 'node:fs';
import { link, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HookError } from '../../../base/errors.js';
import { codeOf } from './disk-error.js';

export const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
/** Without it opening a pipe could wait for ever. */
export const NONBLOCK = constants.O_NONBLOCK ?? 0;
const OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH;

/** Files of those who cannot be seen, because they are not on this machine or it was started anew, count as left behind then. */
export const LEFT_BEHIND_MS = 3_600_000;

/** No record of ours is so large. */
export const MAX_FILE = 16 * 1024 * 1024;

export type Reading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Undefined: it is not there. Throws only for trouble that has nothing to do with this file. */
export async function readPrivate(path: string): Promise<Reading | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | NOFOLLOW | NONBLOCK);
  } catch (error) {
    return problemOfOpening(error);
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { ok: false, problem: 'it is no regular file' };
    if (stats.size > MAX_FILE) return { ok: false, problem: `it has ${stats.size} bytes` };
    return decode(await file.readFile());
  } finally {
    await file.close();
  }
}

function problemOfOpening(error: unknown): Reading | undefined {
  switch (codeOf(error)) {
    case 'ENOENT':
      return undefined;
    case 'ELOOP':
    case 'EMLINK':
      return { ok: false, problem: 'it is a symbolic link' };
    case 'EACCES':
    case 'EPERM':
      return { ok: false, problem: 'it may not be read' };
    case 'ENXIO':
      return { ok: false, problem: 'it is no regular file' };
    default:
      throw error;
  }
}

function decode(bytes: Uint8Array): Reading {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, problem: 'it is not UTF-8' };
  }
}

/** A second name for a file. False: the name is taken, so somebody else was first. */
export async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** One of several callers moves a file; for the others it is gone: false. */
export async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    // The file is gone, or the folder that it should go to. A file may be back by now, so only the folder tells.
    if (codeOf(error) === 'ENOENT' && (await look(dirname(to))) !== undefined) return false;
    throw error;
  }
}

export async function remove(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** The link itself, not what it leads to. */
export async function look(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Names that begin with a dot are the system's or an editor's, never ours. */
export async function list(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('.'));
}

/** Rejects for a folder that somebody else could write into, or that is somewhere else. */
export async function checkFolder(path: string): Promise<void> {
  const problem = folderProblem(await lstat(path));
  if (problem !== undefined) {
    const message = `The folder '${path}' of the mailbox cannot be used: ${problem}`;
    throw new HookError('invalid_option', message);
  }
}

export function folderProblem(
  stats: Pick<Stats, 'uid' | 'mode' | 'isDirectory' | 'isSymbolicLink'>,
  user = process.getuid?.(),
): string | undefined {
  if (stats.isSymbolicLink()) return 'it is a symbolic link. Give the directory itself.';
  if (!stats.isDirectory()) return 'it is no directory. Give another path.';
  // Without users and modes of this kind (Windows) the account's own directories are all there is.
  if (user === undefined) return undefined;
  if (stats.uid !== user)
    return `it belongs to user ${stats.uid}, not to user ${user} who runs this. Give a directory of your own.`;
  if ((stats.mode & OTHERS_WRITE) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8);
  return `it can be written by others (mode ${mode}). Look through it, then run chmod 700 on it.`;
}

/** A few at a time: as quick as the disk is, without a file descriptor for each of thousands. */
export async function inBatches<T, R>(
  members: readonly T[],
  work: (member: T) => Promise<R>,
  size = 16,
): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < members.length; i += size) {
    results.push(...(await Promise.all(members.slice(i, i + size).map(work))));
  }
  return results;
}
