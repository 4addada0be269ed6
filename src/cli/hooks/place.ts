/** How places and descriptions are shown: short, on one line, as an editor can open them. */
import { relative } from 'node:path';
import { isInside } from '../../base/files/inside.js';
import type { Source } from '../../config/loaded.js';

/** From the folder where the file lies in it, else the whole path. */
export function shortPath(file: string, cwd: string): string {
  return isInside(file, cwd) ? relative(cwd, file) || '.' : file;
}

export function shortPlace({ file, line }: Pick<Source, 'file' | 'line'>, cwd: string): string {
  return `${shortPath(file, cwd)}:${line}`;
}

export function exactPlace(source: Pick<Source, 'file' | 'line' | 'column'>, cwd: string): string {
  return `${shortPlace(source, cwd)}:${source.column}`;
}

const WIDEST = 100;

/** A text that somebody else wrote, on one line and not too long. */
export function oneLine(text: string, widest = WIDEST): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > widest ? `${line.slice(0, widest - 3)}...` : line;
}
