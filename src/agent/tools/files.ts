/** Helpers of the file tools: error messages, reading text, and atomic writes. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../base/errors.js';
import type { ToolContext, ToolOutcome } from './tool.js';

/** No tool reads larger files. */
export const MAX_FILE_BYTES = 10_485_760;
const LOOKED_AT_FOR_BINARY = 8192;

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be accessed: permission denied',
  EPERM: 'may not be changed: operation not permitted',
  EISDIR: 'is a directory, not a file',
  ENOTDIR: 'cannot be reached: a part of the path is a file, not a directory',
  ELOOP: 'cannot be reached: its links go in a circle',
  ENAMETOOLONG: 'has a name that is too long',
  ENOSPC: 'cannot be written: the disk is full',
  EROFS: 'cannot be written: the file system is read-only',
};

/** A failure that names the path and the problem. Rethrows if the call was aborted. */
export function fileFailure(error: unknown, path: string, context: ToolContext): ToolOutcome {
  if (context.signal.aborted) throw error;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  const sentence = Object.hasOwn(SENTENCES, code) ? SENTENCES[code] : `cannot be used: ${messageOf(error)}`;
  const hint = code === 'ENOENT' ? ` The working directory is ${context.cwd}.` : '';
  return { ok: false, error: `${path} ${sentence}.${hint}` };
}

/**
 * Returns an error message unless the path is a regular file within the size limit. Pipes and devices could block
 * forever.
 */
export async function fileProblem(path: string): Promise<string | undefined> {
  const info = await stat(path);
  if (info.isDirectory()) return `${path} is a directory, not a file.`;
  if (!info.isFile()) return `${path} is not a regular file but a pipe, socket or device.`;
  if (info.size > MAX_FILE_BYTES)
    return `${path} has ${info.size} bytes, more than ${MAX_FILE_BYTES}. Look at a part of it with Bash (head, sed) or search it there.`;
  return undefined;
}

export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, LOOKED_AT_FOR_BINARY).includes(0);
}

/** The exact text, including a byte order mark. Undefined if it is not UTF-8: writing it back would destroy it. */
export async function readExactText(path: string, signal: AbortSignal): Promise<string | undefined> {
  const bytes = await readFile(path, { signal });
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Writes the file atomically. Keeps links and the file mode. */
export async function writeWhole(path: string, content: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (info) => info.mode & 0o7777,
    () => undefined,
  );
  const draft = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, content, { flag: 'wx', signal });
    if (mode !== undefined) await chmod(draft, mode);
    signal.throwIfAborted();
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
