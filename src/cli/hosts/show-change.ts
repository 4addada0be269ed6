/** Shows what a command changes in a file, before it does. */
import { createTwoFilesPatch } from 'diff';
import type { Change } from '../../hosts/install/install.js';
import type { Printer } from '../printer.js';

const CONTEXT_LINES = 2;

export function showChange({ file, before, after }: Change, printer: Printer): void {
  const { paint } = printer;
  const [from, to] = [before === undefined ? '/dev/null' : file, after === null ? '/dev/null' : file];
  const patch = createTwoFilesPatch(from, to, before ?? '', after ?? '', '', '', { context: CONTEXT_LINES });
  for (const line of patch.split('\n').slice(1)) {
    const colour = line.startsWith('+') ? paint.green : line.startsWith('-') ? paint.red : paint.dim;
    if (line !== '') printer.line(colour(line));
  }
}
