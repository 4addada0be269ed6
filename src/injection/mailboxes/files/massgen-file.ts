/** Reads and writes MassGen's injection file, which holds one payload, without losing any. */

import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { HookError, messageOf, show } from '../../../base/errors.js';
import { syncFolders, writePrivate } from '../../../base/files/private.js';
import { readJsonObject } from '../../../base/json/read-json.js';
import { describeIssue } from '../../../events/schemas.js';
import { currentOwner, isGone, type Owner, readOwner, writeOwner } from '../../../process/owner.js';
import { isItemAtFault } from '../../mailbox-error.js';
import type { InjectionItem, InjectionSource, Mailbox, NewInjection } from '../../port.js';
import { ABANDONED_AFTER_MS, linkNew, list, look, move, readPrivate, remove } from './disk.js';
import { randomPart } from './file-names.js';

/** The file name that MassGen uses, in the directory its server and backend share. */
export const MASSGEN_FILE = 'hook_post_tool_use.json';

/** Which file to read, and for which agents. */
export interface MassgenImport {
  /** Absolute path of the file. */
  readonly file: string;
  readonly mailbox: Mailbox;
  readonly agentId: string;
  /** The sender of the content, which the file does not contain. Default: `{ kind: 'massgen' }`. */
  readonly source?: InjectionSource | undefined;
  readonly onProblem?: ((problem: Error) => void) | undefined;
}

/** What to write, and where. */
export interface MassgenWrite {
  readonly file: string;
  readonly item: Pick<InjectionItem, 'content'> &
    Partial<Pick<InjectionItem, 'strategy' | 'matcher' | 'expiresAt' | 'source'>>;
  /** How long to wait until an unread payload is gone. Default: 0 ms. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const payloadSchema = z.object({
  inject: z.object({
    content: z.string().refine((text) => text.trim() !== '', { error: 'it is empty' }),
    strategy: z.string().optional(),
  }),
  tool_matcher: z.string().optional(),
  // In seconds. An invalid time is rejected and does not mean "never".
  expires_at: z.number().optional(),
  sequence: z.number().optional(),
});

/**
 * Puts the payload into the mailbox, and payloads left by processes that died while importing. The file is moved first,
 * so a payload written meanwhile is a new one. An invalid payload is moved to `….failed` and reported. Returns the
 * items that were put. Rejects if the mailbox is full or a disk operation fails: the payload is then imported the next
 * time.
 */
export async function importMassgenFile(request: MassgenImport): Promise<readonly InjectionItem[]> {
  const { file } = request;
  const owner = currentOwner();
  await move(file, asideName(file, owner, 'taken'));
  const imported: InjectionItem[] = [];
  for (const taken of await takenFiles(file, owner)) {
    if (importing.has(taken)) continue;
    importing.add(taken);
    try {
      const item = await importTaken(request, taken);
      if (item !== undefined) imported.push(item);
    } finally {
      importing.delete(taken);
    }
  }
  return imported;
}

/** The files that this process is importing. */
const importing = new Set<string>();

function asideName(file: string, owner: Owner, ending: 'taken' | 'tmp'): string {
  return `${file}.${writeOwner(owner)}.${randomPart()}${randomPart()}.${ending}`;
}

/**
 * The files of this process, of processes that have died, and those that unknown processes have not touched for a long
 * time; if such a process is still alive, the id prevents a duplicate. Sorted by age. Incomplete files are removed.
 */
async function takenFiles(file: string, self: Owner): Promise<string[]> {
  const prefix = `${basename(file)}.`;
  const found: { readonly path: string; readonly time: bigint }[] = [];
  for (const name of await list(dirname(file))) {
    if (!name.startsWith(prefix)) continue;
    const owner = readOwner(name.slice(prefix.length).split('.')[0] ?? '');
    if (owner === undefined) continue;
    const path = join(dirname(file), name);
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    if (stats === undefined) continue;
    const isOwn = writeOwner(owner) === writeOwner(self);
    const isForgotten =
      owner.place !== self.place && BigInt(Date.now()) - stats.mtimeMs > BigInt(ABANDONED_AFTER_MS);
    if (!isOwn && !isForgotten && !isGone(owner, self)) continue;
    if (!isOwn && name.endsWith('.tmp')) await remove(path);
    if (name.endsWith('.taken')) found.push({ path, time: stats.mtimeNs });
  }
  return found.sort((a, b) => (a.time < b.time ? -1 : 1)).map(({ path }) => path);
}

async function importTaken(request: MassgenImport, taken: string): Promise<InjectionItem | undefined> {
  const { mailbox, file } = request;
  const reading = await readPrivate(taken);
  if (reading === undefined) return undefined;
  const injection = reading.ok ? readPayload(reading.text, request, taken) : reading.problem;
  if (typeof injection === 'string') return setAside(request, taken, injection);
  let item: InjectionItem;
  try {
    item = await mailbox.put(injection);
  } catch (error) {
    // Only an invalid item is set aside; if the mailbox is full or unavailable, the import is retried later.
    if (isItemAtFault(error)) return setAside(request, taken, messageOf(error));
    throw error;
  }
  await remove(taken);
  await syncFolders(dirname(file));
  return item;
}

/** Returns a string if the payload is invalid: the reason. */
function readPayload(
  text: string,
  { agentId, source = { kind: 'massgen' } }: MassgenImport,
  taken: string,
): NewInjection | string {
  const json = readJsonObject(text);
  if (!json.ok) return json.problem;
  const parsed = payloadSchema.safeParse(json.value);
  if (!parsed.success) return describeIssue(parsed.error);
  const { inject, tool_matcher: matcher, expires_at: expires } = parsed.data;
  return {
    // Derived from the file name, so that a crash between putting the item and removing the file causes no duplicate.
    id: `massgen:${basename(taken).split('.').at(-2)}`,
    content: inject.content,
    strategy: inject.strategy === 'user_message' ? 'user_message' : 'tool_result',
    to: agentId,
    source,
    ...(matcher !== undefined && { matcher }),
    ...(expires !== undefined && { expiresAt: expires * 1000 }),
  };
}

async function setAside({ onProblem }: MassgenImport, taken: string, why: string): Promise<undefined> {
  const aside = taken.replace(/\.taken$/, '.failed');
  if (!(await move(taken, aside))) return;
  try {
    onProblem?.(new Error(`A MassGen payload is invalid: ${why}. It was moved to '${aside}'.`));
  } catch {
    // It has been reported already.
  }
}

const POLL_MS = 20;
/** MassGen's reader may treat a missing time as expired. */
const FAR_FUTURE_MS = 10 * 365 * 86_400_000;
let lastSequence = 0;

/**
 * Writes a payload if there is none. Returns false if an unread payload exists: nothing was written. An existing
 * payload is never extended or replaced, because MassGen reads and deletes it in two steps and would delete what was
 * written in between. Rejects with a `HookError` for an invalid `waitMs`, when the signal aborts, and when a disk
 * operation fails.
 */
export async function writeMassgenFile({ file, item, waitMs = 0, signal }: MassgenWrite): Promise<boolean> {
  if (!(waitMs >= 0)) {
    throw new HookError(
      'invalid_option',
      `waitMs is ${show(waitMs)}; give a number of milliseconds, at least 0.`,
    );
  }
  if (item.matcher?.includes('|'))
    throw new HookError(
      'invalid_matcher',
      `The matcher is ${show(item.matcher)}; MassGen's reader does not know "|", and would never read the payload. Write one payload for each alternative, or use a glob.`,
    );
  const end = performance.now() + waitMs;
  const unfinished = asideName(file, currentOwner(), 'tmp');
  await writePrivate(unfinished, `${JSON.stringify(payloadOf(item))}\n`);
  try {
    while (!(await isFree(file)) || !(await linkNew(unfinished, file))) {
      signal?.throwIfAborted();
      if (performance.now() >= end) return false;
      await sleep(Math.min(POLL_MS, Math.max(1, end - performance.now())), undefined, { signal });
    }
    await syncFolders(dirname(file));
    return true;
  } finally {
    await remove(unfinished);
  }
}

async function isFree(file: string): Promise<boolean> {
  return (await look(file)) === undefined;
}

function payloadOf({
  content,
  strategy = 'tool_result',
  matcher = '*',
  expiresAt,
  source = { kind: 'system' },
}: MassgenWrite['item']): object {
  // MassGen ignores sequence numbers that do not increase, even after a restart of the writer, so they follow the
  // clock.
  lastSequence = Math.max(lastSequence + 1, Date.now());
  return {
    inject: { content: source.kind === 'human' ? content : withoutHumanMark(content), strategy },
    tool_matcher: matcher,
    expires_at: (expiresAt ?? Date.now() + FAR_FUTURE_MS) / 1000,
    sequence: lastSequence,
  };
}

/** MassGen's reader treats what follows this mark as the words of a person, with high priority. */
function withoutHumanMark(content: string): string {
  return content.replaceAll(/\[(?=\s*human\s+input\s*\]\s*:)/gi, '(');
}
