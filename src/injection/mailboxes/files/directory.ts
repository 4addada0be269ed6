/** Creates the shared directory, or checks an existing one before it is used. */

import { chmod, mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { HookError, show } from '../../../base/errors.js';
import { makePrivateFolder, PRIVATE_FOLDER, syncFolders, writePrivate } from '../../../base/files/private.js';
import { readJsonObject } from '../../../base/json/read-json.js';
import { ABANDONED_AFTER_MS, checkFolder, linkNew, list, look, readPrivate, remove } from './disk.js';
import { codeOf } from './disk-error.js';
import { randomPart } from './file-names.js';

/** The folders of a mailbox. */
export interface Place {
  readonly root: string;
  /** Files that are being written; a rename moves them out. */
  readonly staging: string;
  /** One file per item, by its id. */
  readonly ids: string;
  /** Items for several agents or all; each agent copies them once. */
  readonly log: string;
  /** The names added to the log, one per line. */
  readonly logJournal: string;
  /** One folder per agent. */
  readonly agents: string;
  /** One file per writer; the highest is kept. */
  readonly epochs: string;
  /** Files that do not belong to the mailbox, moved out of the way. */
  readonly failed: string;
}

const FORMAT = 'hookline-mailbox';
const VERSION = 1;
const MARK = 'mailbox.json';
const FOLDERS = ['staging', 'ids', 'log', 'agents', 'epochs', 'failed'] as const;
const JOURNAL = 'log.arrivals';

export async function openDirectory(root: string): Promise<Place> {
  if (typeof root !== 'string' || !isAbsolute(root)) {
    const message = `directory of a file mailbox is ${show(root)}; give an absolute path, so that all processes use the same directory.`;
    throw new HookError('invalid_option', message);
  }
  const made = await makePrivateFolder(root);
  if (made !== undefined) await chmod(root, PRIVATE_FOLDER);
  await checkFolder(root);
  const place: Place = {
    root,
    staging: join(root, 'staging'),
    ids: join(root, 'ids'),
    log: join(root, 'log'),
    logJournal: join(root, JOURNAL),
    agents: join(root, 'agents'),
    epochs: join(root, 'epochs'),
    failed: join(root, 'failed'),
  };
  const isMarked = await checkMark(root);
  for (const name of FOLDERS) await makeFolder(join(root, name));
  if (!isMarked) await writeMark(place);
  await removeDrafts(root);
  return place;
}

/** Rejects if a part of it is missing or was replaced by another user. */
export async function checkPlace({ root, ...rest }: Place): Promise<void> {
  const { logJournal: _, ...folders } = rest;
  await checkFolder(root);
  await Promise.all(Object.values(folders).map(checkFolder));
}

export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: PRIVATE_FOLDER });
    await chmod(path, PRIVATE_FOLDER);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    await checkFolder(path);
  }
}

/** A directory with other files in it was given by mistake. False if it has no marker yet. */
async function checkMark(root: string): Promise<boolean> {
  const mark = await readPrivate(join(root, MARK));
  if (mark === undefined) {
    const ours: readonly string[] = [...FOLDERS, MARK, JOURNAL];
    const foreign = (await list(root)).find((name) => !ours.includes(name) && !isDraft(name));
    if (foreign === undefined) return false;
    throw refuse(
      root,
      `it contains ${show(foreign)}, so it is used for something else. Give an empty directory.`,
    );
  }
  if (!mark.ok) throw refuse(root, `'${MARK}' in it cannot be read: ${mark.problem}.`);
  const read = readJsonObject(mark.text);
  if (read.ok && read.value['format'] === FORMAT && read.value['version'] === VERSION) return true;
  const expected = `{ "format": "${FORMAT}", "version": ${VERSION} }`;
  throw refuse(root, `'${MARK}' in it is not ${expected}: it was made by another version, or by hand.`);
}

async function writeMark({ root }: Place): Promise<void> {
  const unfinished = join(root, `${MARK}.${randomPart()}`);
  await writePrivate(unfinished, `${JSON.stringify({ format: FORMAT, version: VERSION })}\n`);
  try {
    if (await linkNew(unfinished, join(root, MARK))) await syncFolders(root);
  } finally {
    await remove(unfinished);
  }
}

const isDraft = (name: string): boolean => name.startsWith(`${MARK}.`);

/** Removes drafts of processes that died while marking the directory. A recent draft may be in use. */
async function removeDrafts(root: string): Promise<void> {
  for (const name of (await list(root)).filter(isDraft)) {
    const stats = await look(join(root, name));
    if (stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS)
      await remove(join(root, name));
  }
}

function refuse(root: string, why: string): HookError {
  return new HookError('invalid_option', `The directory '${root}' cannot hold a mailbox: ${why}`);
}
