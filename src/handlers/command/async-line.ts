/** Finds out, as early as possible, whether a command's output begins with `{"async": true}`. */
import { readJsonObject } from '../../base/json/read-json.js';

/** An announcement is short; a document that is longer than this is the answer itself. */
const MAX_ANNOUNCEMENT = 1024;

export interface AsyncLine {
  /** How much of the output the announcement takes, line end included. */
  readonly length: number;
  readonly asyncTimeout: unknown;
  /** What else it says: two answers at once are none. */
  readonly beside: readonly string[];
}

/** `undecided`: the output so far may still become an announcement. */
export function readAsyncLine(opening: string): AsyncLine | 'no' | 'undecided' {
  const start = opening.search(/\S/);
  if (start === -1) return opening.length > MAX_ANNOUNCEMENT ? 'no' : 'undecided';
  if (opening[start] !== '{' && opening[start] !== '\ufeff') return 'no';
  const end = opening.indexOf('\n', start);
  const line = end === -1 ? opening.slice(start) : opening.slice(start, end);
  if (line.length > MAX_ANNOUNCEMENT) return 'no';
  // Nearly every answer; reading it is left to whoever reads the whole of it. An escape may hide the word.
  if (end !== -1 && !line.includes('async') && !line.includes('\\')) return 'no';
  const read = readJsonObject(line);
  if (!read.ok) return end === -1 ? 'undecided' : 'no';
  if (read.value['async'] !== true) return 'no';
  const beside = Object.keys(read.value).filter((key) => key !== 'async' && key !== 'asyncTimeout');
  return { length: end === -1 ? opening.length : end + 1, asyncTimeout: read.value['asyncTimeout'], beside };
}
