/** What changed between two texts, line by line, in color. */
import { structuredPatch } from 'diff';
import type { Paint } from './printer.js';

/** The maximum number of lines that are shown. */
const SHOWN_LINES = 200;

export function diffLines(before: string, after: string, paint: Paint): string[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 2 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    paint.dim(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...changed.map((line) => paintChange(line, paint)),
  ]);
  return shorten(lines, paint);
}

/** The first lines, and how many more there are. */
export function shorten(lines: readonly string[], paint: Paint, most = SHOWN_LINES): string[] {
  const more = lines.length - most;
  const what = more === 1 ? '1 more line' : `${more} more lines`;
  return more > 0 ? [...lines.slice(0, most), paint.dim(`(${what})`)] : [...lines];
}

export function paintChange(line: string, paint: Paint): string {
  if (line.startsWith('-')) return paint.red(line);
  return line.startsWith('+') ? paint.green(line) : line;
}
