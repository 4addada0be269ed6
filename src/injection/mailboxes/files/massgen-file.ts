/** MassGen's own hand-over, one file with one payload, read and written so that none of it is lost. */

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
import { LEFT_BEHIND_MS, linkNew, list, look, move, readPrivate, remove } from './disk.js';
import { randomPart } from './file-names.js';

/** How MassGen calls it, in the directory that its server and its backend share. */
export const MASSGEN_FILE = 'hook_post_tool_use.json';

/** Which file is read, and for whom. */
export interface MassgenImport {
  /** Full path of the file. */
  readonly file: string;
  readonly mailbox: Mailbox;
  readonly agentId: string;
  /** Whom its content comes from, which the file does not say. Default: `{ kind: 'massgen' }`. */
  readonly source?: InjectionSource | undefined;
  readonly onProblem?: ((problem: Error) => void) | undefined;
}

/** What is written where. */
export interface MassgenWrite {
  readonly file: string;
  readonly item: Pick<InjectionItem, 'content'> &
    Partial<Pick<InjectionItem, 'strategy' | 'matcher' | 'expiresAt'>>;
  /** How long to wait for a payload that nobody has read yet. Default: 0 ms. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const payloadSchema = z.object({
  inject: z.object({
    content: z.string().refine((text) => text.trim() !== '', { error: 'there is nothing in it' }),
    strategy: z.string().optional(),
  }),
  tool_matcher: z.string().optional(),
  // Seconds. One that is no time is refused: it does not mean "never".
  expires_at: z.number().optional(),
  sequence: z.number().optional(),
});

/**
 * Takes the payload, and what processes that died at it have left, into the mailbox. The file is first moved aside, so what is
 * written meanwhile is a new payload. What cannot be used is moved to `….failed` and told. Returns what was put in.
 * Rejects when the mailbox has no room, or the disk refuses: the payload is then imported the next time.
 */
export async function importMassgenFile(request: MassgenImport): Promise<readonly InjectionItem[]> {
  const { file } = request;
  const owner = currentOwner();
  await move(file, asideName(file, owner, 'taken'));
  const imported: InjectionItem[] = [];
  for (const taken of await takenFiles(file, owner)) {
    if (inHand.has(taken)) continue;
    inHand.add(taken);
    try {
      const item = await importTaken(request, taken);
      if (item !== undefined) imported.push(item);
    } finally {
      inHand.delete(taken);
    }
  }
  return imported;
}

/** What this process is just importing. */
const inHand = new Set<string>();

function asideName(file: string, owner: Owner, ending: 'taken' | 'tmp'): string {
  return `${file}.${writeOwner(owner)}.${randomPart()}${randomPart()}.${ending}`;
}

/**
 * Our own, those of the dead, and what those who cannot be seen have not touched for long: should they live after all, the
 * same id makes it one item. In the order of their content's age. What was not written to its end goes.
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
      owner.place !== self.place && BigInt(Date.now()) - stats.mtimeMs > BigInt(LEFT_BEHIND_MS);
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
    // Only what no mailbox could hold is set aside; a full one, or one that cannot be used now, gets it later.
    if (isItemAtFault(error)) return setAside(request, taken, messageOf(error));
    throw error;
  }
  await remove(taken);
  await syncFolders(dirname(file));
  return item;
}

/** A sentence: why it cannot be used. */
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
    // By the name it was taken under: who dies between putting it in and removing it puts in nothing twice.
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
    onProblem?.(new Error(`A payload of MassGen cannot be used: ${why}. It was moved to '${aside}'.`));
  } catch {
    // It was told.
  }
}

const POLL_MS = 20;
/** MassGen's reader may take an absent time for one that has passed. */
const AS_GOOD_AS_NEVER_MS = 10 * 365 * 86_400_000;
let lastSequence = 0;

/**
 * Writes a payload where there is none. False: one that nobody has read is still there, so nothing was written. It is never
 * added to or replaced: its reader reads and deletes in two steps, and would delete unread what came in between.
 * Rejects with a `HookError` for a `waitMs` that is no time, when the signal aborts, and when the disk refuses.
 */
export async function writeMassgenFile({ file, item, waitMs = 0, signal }: MassgenWrite): Promise<boolean> {
  if (!(waitMs >= 0)) {
    throw new HookError(
      'invalid_option',
      `waitMs is ${show(waitMs)}; give a number of milliseconds from 0 on.`,
    );
  }
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
}: MassgenWrite['item']): object {
  // Its reader drops what does not count up, also after a writer has begun anew: so it counts with the clock.
  lastSequence = Math.max(lastSequence + 1, Date.now());
  return {
    inject: { content, strategy },
    tool_matcher: matcher,
    expires_at: (expiresAt ?? Date.now() + AS_GOOD_AS_NEVER_MS) / 1000,
    sequence: lastSequence,
  };
}
