/** Shows what has changed since a hook was approved: its fields, and its scripts line by line. */
import { structuredPatch } from 'diff';
import type { TrustChanges } from '../../config/trust/index.js';
import type { Paint, Printer } from '../printer.js';

/** The maximum number of diff lines shown. */
const SHOWN_LINES = 200;

export function showChanges({ approvedAt, fields, files }: TrustChanges, printer: Printer): void {
  const { paint } = printer;
  printer.line(`    ${paint.yellow(`changed since it was approved on ${approvedAt.slice(0, 10)}:`)}`);
  for (const { field, before, after } of fields) {
    printer.line(`      ${field}`);
    if (before !== undefined) printer.line(`        ${paint.red(`- ${before}`)}`);
    if (after !== undefined) printer.line(`        ${paint.green(`+ ${after}`)}`);
  }
  for (const { path, before, after } of files) {
    printer.line(`      ${path}${describeFile(before, after)}`);
    if (before === undefined || after === undefined) continue;
    for (const line of diffLines(before, after, paint)) printer.line(`        ${line}`);
  }
}

/** The note for a file without two texts to compare. */
function describeFile(before: string | undefined, after: string | undefined): string {
  if (before !== undefined && after !== undefined) return '';
  if (after === undefined)
    return before === undefined ? ' (content changed)' : ' (removed, or no longer text)';
  return ' (new, or its approved content was not kept)';
}

function diffLines(before: string, after: string, paint: Paint): string[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: 2 });
  const lines = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: changed }) => [
    paint.cyan(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...changed.map((line) => colour(line, paint)),
  ]);
  const more = lines.length - SHOWN_LINES;
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), paint.dim(`(${more} more lines)`)] : lines;
}

function colour(line: string, paint: Paint): string {
  if (line.startsWith('-')) return paint.red(line);
  return line.startsWith('+') ? paint.green(line) : line;
}
