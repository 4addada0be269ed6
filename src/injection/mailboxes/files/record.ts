/** The contents of an item's file. */
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../../base/errors.js';
import { readJsonObject } from '../../../base/json/read-json.js';
import { describeIssue } from '../../../events/schemas.js';
import { freezeItem, itemSchema } from '../../item.js';
import { MailboxError } from '../../mailbox-error.js';
import { compileToolMatcher } from '../../matcher.js';
import type { InjectionItem } from '../../port.js';
import type { Place } from './directory.js';
import { MAX_FILE, readPrivate } from './disk.js';
import { hashId, type ItemName } from './item-name.js';
import type { About } from './mailbox-context.js';

export interface ItemRecord {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly putAt: number;
  readonly item: InjectionItem;
}

export type RecordReading =
  | { readonly ok: true; readonly record: ItemRecord; readonly text: string }
  | { readonly ok: false; readonly problem: string };

const schema = z.object({
  version: z.literal(1),
  name: z.string(),
  putAt: z.number(),
  item: itemSchema,
});

/** Throws for an item that is too large to be read back. */
export function writeRecord({ name, putAt, item }: ItemRecord): string {
  const text = `${JSON.stringify({ version: 1, name, putAt, item })}\n`;
  if (Buffer.byteLength(text) <= MAX_FILE) return text;
  const message = `The item has more than ${MAX_FILE} bytes as a file. Name fewer agents, or put it for all.`;
  throw new MailboxError('invalid', message);
}

/** Undefined if the file does not exist. */
export async function readRecord(path: string, name?: ItemName): Promise<RecordReading | undefined> {
  const reading = await readPrivate(path);
  if (reading === undefined || !reading.ok) return reading;
  const { text } = reading;
  const json = readJsonObject(text);
  if (!json.ok) return { ok: false, problem: json.problem };
  const parsed = schema.safeParse(json.value);
  if (!parsed.success) return { ok: false, problem: describeIssue(parsed.error) };
  const record = { ...parsed.data, item: freezeItem(parsed.data.item) };
  const problem = mismatch(record, name);
  return problem === undefined ? { ok: true, record, text } : { ok: false, problem };
}

/** A file whose name does not match its content could be delivered twice. */
function mismatch({ name: own, item }: ItemRecord, name: ItemName | undefined): string | undefined {
  if (name !== undefined && (own !== name.text || hashId(item.id) !== name.idHash))
    return 'its name does not match its content';
  try {
    compileToolMatcher(item.matcher);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export function idPath({ ids }: Place, idHash: string): string {
  return join(ids, `${idHash}.json`);
}

/** What is known about an item without its file: the record of its id, or else only its name. */
export async function aboutItem(place: Place, name: ItemName): Promise<About> {
  const reading = await readRecord(idPath(place, name.idHash), name);
  if (reading?.ok === true) return reading.record.item;
  return { id: `file:${name.text}`, source: { kind: 'unknown' }, strategy: 'tool_result' };
}
