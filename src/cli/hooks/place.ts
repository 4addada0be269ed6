/** Formats positions and descriptions: short, on one line, in a form that editors can open. */
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { isInside } from '../../base/files/inside.js';
import type { Source } from '../../config/loaded.js';

/** Relative if the file is inside the folder, otherwise from the home directory (`~`) or the absolute path. */
export function shortPath(file: string, cwd: string): string {
  const home = homedir();
  if (isInside(file, cwd) || !isInside(file, home)) return plainPath(file, cwd);
  return join('~', relative(home, file));
}

const plainPath = (file: string, cwd: string): string =>
  isInside(file, cwd) ? relative(cwd, file) || '.' : file;

export function shortPlace({ file, line }: Pick<Source, 'file' | 'line'>, cwd: string): string {
  return `${shortPath(file, cwd)}:${line}`;
}

/** For programs too, which do not know `~`. */
export function exactPlace(
  { file, line, column }: Pick<Source, 'file' | 'line' | 'column'>,
  cwd: string,
): string {
  return `${plainPath(file, cwd)}:${line}:${column}`;
}

const WIDEST = 100;

/** Untrusted text, on one line and shortened. */
export function oneLine(text: string, widest = WIDEST): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > widest ? `${line.slice(0, widest - 3)}...` : line;
}
