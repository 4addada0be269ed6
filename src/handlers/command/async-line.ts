/** Detects, as early as possible, whether a command's output starts with `{"async": true}`. */
import { readJsonObject } from '../../base/json/read-json.js';

/** An announcement is short; a longer document is the answer itself. */
const MAX_ANNOUNCEMENT = 1024;

export interface AsyncLine {
  /** The length of the announcement in the output, including the line break. */
  readonly length: number;
  readonly asyncTimeout: unknown;
  /** Other keys of the line: an announcement and an answer at once are neither. */
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
  // Nearly every answer takes this exit; the whole of it is parsed later. An escape may hide the word.
  if (end !== -1 && !line.includes('async') && !line.includes('\\')) return 'no';
  const read = readJsonObject(line);
  if (!read.ok) return end === -1 ? 'undecided' : 'no';
  if (read.value['async'] !== true) return 'no';
  const beside = Object.keys(read.value).filter((key) => key !== 'async' && key !== 'asyncTimeout');
  return { length: end === -1 ? opening.length : end + 1, asyncTimeout: read.value['asyncTimeout'], beside };
}
