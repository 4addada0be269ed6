/** Reads a recording line by line; invalid lines are reported and skipped. */
import { readFile } from 'node:fs/promises';
import { fileErrorOf, HookError, show } from '../../base/errors.js';
import { isEvent } from '../../events/registry.js';
import { describeIssue } from '../../events/schemas.js';
import type { AnyEvent } from '../../events/types.js';
import { entrySchema, type RecordedFire } from './entry.js';

/** A recorded fire of an event that exists. */
export interface CheckedFire extends RecordedFire {
  readonly event: AnyEvent;
}

export interface ReadFire extends CheckedFire {
  /** The line number in the file. */
  readonly line: number;
}

export interface Recording {
  readonly fires: readonly ReadFire[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Rejects with a HookError if the file cannot be read. */
export async function readRecording(file: string): Promise<Recording> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new HookError(
      'invalid_option',
      `The recording ${show(file)} cannot be read: ${fileErrorOf(error)}.`,
    );
  }
  const fires: ReadFire[] = [];
  const problems: { line: number; message: string }[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (typeof read === 'string') problems.push({ line: i + 1, message: read });
    else fires.push({ ...read, line: i + 1 });
  }
  return { fires, problems };
}

/** Returns an error message if the line is not a recorded fire. */
export function readLine(line: string): CheckedFire | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'This is not valid JSON; the recording may have been cut off here.';
  }
  const checked = entrySchema.safeParse(value);
  if (!checked.success) return `This is not a recorded fire: ${describeIssue(checked.error)}.`;
  const { event } = checked.data;
  return isEvent(event) ? { ...checked.data, event } : `${show(event)} is not an event that is fired here.`;
}
