/** The spellings of a folder's path: as given, resolved, and relative to the home directory. */
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, relative, resolve } from 'node:path';

export function spellingsOf(folder: string): readonly string[] {
  const absolute = resolve(folder);
  const spellings = new Set([absolute, realOf(absolute)]);
  for (const path of [...spellings]) {
    const below = relative(homedir(), path);
    if (below !== '' && !below.startsWith('..') && !isAbsolute(below)) spellings.add(`~/${below}`);
  }
  return [...spellings];
}

/** A missing folder has only the path it was given. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
