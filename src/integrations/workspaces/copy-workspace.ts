/** Copies a workspace atomically: the copy appears complete or not at all. */

import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HookError, messageOf } from '../../base/errors.js';
import { PRIVATE_FOLDER } from '../../base/files/private.js';
import { type OptionNames, refuseUnknownOptions } from '../../base/text/known-options.js';
import { type CopyReport, TreeCopy } from './copy-tree.js';
import { readSelection, type SelectionOptions } from './selection.js';

/** What to copy, and when to abort. */
export interface CopyOptions extends SelectionOptions {
  /** A folder that is skipped wherever it is found: the one that contains the copies. */
  readonly avoid?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: OptionNames<CopyOptions> = {
  exclude: true,
  include: true,
  only: true,
  limits: true,
  avoid: true,
  signal: true,
};

const PARTIAL = '.partial';
/** Matches the names that `draftFor` creates. */
const DRAFT = /^\..+\.[0-9a-f-]{36}\.partial$/;
const OLD_MS = 3_600_000;

/**
 * Copies the shareable files of `from` to `to`, which must not exist and whose parent must. `to` appears when
 * everything is copied; if the copy fails, nothing remains. Rejects with a `HookError` for invalid options and folders,
 * with the reason of an aborted signal, and when a disk operation fails.
 */
export async function copyWorkspace(
  from: string,
  to: string,
  options: CopyOptions = {},
): Promise<CopyReport> {
  refuseUnknownOptions('copyWorkspace', options, OPTIONS);
  const selection = readSelection(options);
  const { signal = new AbortController().signal, avoid } = options;
  signal.throwIfAborted();
  const root = await findRoot(from);
  if ((await lstat(to).catch(() => undefined)) !== undefined)
    throw new HookError('invalid_option', `${to} already exists; a copy needs a new name.`);
  const draft = draftFor(to);
  await mkdir(draft, { mode: PRIVATE_FOLDER });
  try {
    const avoided = avoid === undefined ? undefined : await identityAt(avoid);
    const report = await new TreeCopy(root, draft, selection, avoided, signal).run();
    signal.throwIfAborted();
    await rename(draft, to);
    return report;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** A hidden name next to the final one. */
function draftFor(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}${PARTIAL}`);
}

/** Removes a copy: it disappears at once, though deleting its files may take a while. */
export async function removeCopy(path: string): Promise<void> {
  const draft = draftFor(path);
  try {
    await rename(path, draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await rm(draft, { recursive: true, force: true });
}

/**
 * Removes abandoned partial copies in a folder, down to the given number of levels. A partial copy that old is not in
 * use any more.
 */
export async function sweepPartial(folder: string, levels = 0, now = Date.now()): Promise<void> {
  // Another process may be removing it.
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if (!DRAFT.test(entry.name)) {
      if (levels > 0) await sweepPartial(path, levels - 1, now);
      continue;
    }
    const info = await lstat(path).catch(() => undefined);
    if (info !== undefined && now - info.mtimeMs > OLD_MS) await rm(path, { recursive: true, force: true });
  }
}

async function findRoot(from: string): Promise<string> {
  try {
    const root = await realpath(from);
    if ((await lstat(root)).isDirectory()) return root;
  } catch (cause) {
    throw new HookError('invalid_option', `The workspace ${from} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
  throw new HookError('invalid_option', `The workspace ${from} is not a folder.`);
}

async function identityAt(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}
