/** The file operations of the mailbox: private files, no links followed, atomic. */
import { constants, type Stats } from 'node:fs';
import { link, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HookError } from '../../../base/errors.js';
import { codeOf } from './disk-error.js';

export const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
/** Without it, opening a pipe could block forever. */
export const NONBLOCK = constants.O_NONBLOCK ?? 0;
const OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH;

/** Files of a process on another machine, or from before a reboot, count as abandoned after this time. */
export const ABANDONED_AFTER_MS = 3_600_000;

/** No record is larger. */
export const MAX_FILE = 16 * 1024 * 1024;

export type Reading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Undefined if it does not exist. Throws only for problems that do not concern this file. */
export async function readPrivate(path: string): Promise<Reading | undefined> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | NOFOLLOW | NONBLOCK);
  } catch (error) {
    return problemOfOpening(error);
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return { ok: false, problem: 'it is not a regular file' };
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
      return { ok: false, problem: 'it is not a regular file' };
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

/** Creates a hard link. False if the name exists: another process was faster. */
export async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Moves a file. False if it is gone because another caller has moved it. */
export async function move(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    // Either the file or the target folder is missing. The file may exist again by now, so the folder is checked.
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

/** Does not follow links. */
export async function look(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Names that start with a dot belong to the system or an editor. */
export async function list(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('.'));
}

/** Rejects for a folder that other users can write to, or that is a link. */
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
  if (!stats.isDirectory()) return 'it is not a directory. Give another path.';
  // Windows has no such users and modes; the account's own directories are all that is available.
  if (user === undefined) return undefined;
  if (stats.uid !== user)
    return `it belongs to user ${stats.uid}, not to user ${user} who runs this. Give a directory of your own.`;
  if ((stats.mode & OTHERS_WRITE) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8);
  return `it can be written by others (mode ${mode}). Look through it, then run chmod 700 on it.`;
}

/** Runs a few at a time, so that thousands of files do not need thousands of file descriptors. */
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
