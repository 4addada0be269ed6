/** Formats positions and descriptions: short, on one line, in a form that editors can open. */
import { relative } from 'node:path';
import { isInside } from '../../base/files/inside.js';
import type { Source } from '../../config/loaded.js';

/** Relative if the file is inside the folder, otherwise the absolute path. */
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

/** Untrusted text, on one line and shortened. */
export function oneLine(text: string, widest = WIDEST): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > widest ? `${line.slice(0, widest - 3)}...` : line;
}
