/** The branch of the git repository around a directory. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** `HEAD` if no branch is checked out; undefined outside of a repository. Never throws. */
export function gitBranchOf(directory: string): string | undefined {
  try {
    const git = findUp(directory);
    if (git === undefined) return undefined;
    const [, linked] = /^gitdir:\s*(.+)$/m.exec(readSmall(git) ?? '') ?? [];
    const head = readSmall(join(linked === undefined ? git : resolve(dirname(git), linked.trim()), 'HEAD'));
    if (head === undefined) return undefined;
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() ?? 'HEAD';
  } catch {
    return undefined;
  }
}

function findUp(directory: string): string | undefined {
  for (let place = directory; ; place = dirname(place)) {
    const entry = join(place, '.git');
    if (statSync(entry, { throwIfNoEntry: false }) !== undefined) return entry;
    if (dirname(place) === place) return undefined;
  }
}

const MAX_BYTES = 4096;

/** Undefined for anything but a small file: the repository may be anybody's, and a pipe would never end. */
function readSmall(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() && found.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined;
}
