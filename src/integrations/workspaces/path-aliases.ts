/** The ways in which one folder is written: as it was given, where it really is, and from the home directory. */
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

/** A folder that is gone has only the name it was given with. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
