/** Copies the lines of a transcript into the transcript of another session, up to a chosen message. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { appendLines } from './append-file.js';
import { readLines } from './file-lines.js';
import { MAX_LINE } from './line.js';

/** Lines are written in parts of about this size. */
const PART = 1024 * 1024;

export interface Fork {
  readonly from: string;
  readonly to: string;
  /** The id of the new session. */
  readonly sessionId: string;
  /** The last line to copy. Default: all. */
  readonly lastLine?: number | undefined;
}

/**
 * Returns the number of the last line of a message, given by the `uuid` of a line or the id of an answer. Undefined if the
 * main conversation has no such message. Rejects if the file cannot be read.
 */
export async function findMessage(path: string, id: string): Promise<number | undefined> {
  let found: number | undefined;
  for await (const { number, fields } of linesOf(path)) {
    const { message } = fields as { message?: { id?: unknown } };
    if (fields['isSidechain'] !== true && (fields['uuid'] === id || message?.id === id)) found = number;
  }
  return found;
}

/** Each line belongs to the new session, and says where it comes from. Rejects if a file cannot be read or written. */
export async function forkTranscript({ from, to, sessionId, lastLine }: Fork): Promise<void> {
  let part = '';
  for await (const { number, fields } of linesOf(from)) {
    if (number > (lastLine ?? Number.POSITIVE_INFINITY)) break;
    if (fields['isSidechain'] === true) continue;
    const forkedFrom = { sessionId: fields['sessionId'], messageUuid: fields['uuid'] };
    part += `${JSON.stringify({ ...fields, sessionId, forkedFrom })}\n`;
    if (part.length < PART) continue;
    await appendLines(to, part);
    part = '';
  }
  if (part !== '') await appendLines(to, part);
}

interface Line {
  readonly number: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Lines that are not JSON objects are left out, as when a session is resumed. */
async function* linesOf(path: string): AsyncGenerator<Line, void> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file: FileHandle = await open(path, flags);
  try {
    for await (const { number, text } of readLines(file, MAX_LINE)) {
      const fields = parsed(text ?? '');
      if (fields !== undefined) yield { number, fields };
    }
  } finally {
    await file.close();
  }
}

function parsed(text: string): Line['fields'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Line['fields'])
      : undefined;
  } catch {
    return undefined;
  }
}
