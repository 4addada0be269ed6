/** What the stars in a word of a shell line may stand for, looked up in the file system. */
import { readdirSync } from 'node:fs';
import { compileSegment, matchesSegments } from './rule-glob.js';

const MAX_FOUND = 1000;
const MAX_LISTED = 100;

/** Braces that make several words of one. */
const BRACES = /\{[^}]*(?:,|\.\.)/;

/**
 * All that the word could become, files whose names begin with a dot included, although shells leave them out. Undefined: it
 * is not sure, or there is too much. Nothing found: the word stays as it is.
 */
export function expandWord(word: string, cwd: string): readonly string[] | undefined {
  if (BRACES.test(word) || /[[\\]/.test(word)) return undefined;
  const names = word.split('/');
  let found: readonly string[] = [''];
  let listed = 0;
  for (const [index, name] of names.entries()) {
    const last = index === names.length - 1;
    const next: string[] = [];
    for (const start of found) {
      const matches = /[*?]/.test(name) ? list(start === '' ? cwd : from(cwd, start), name) : [name];
      listed += 1;
      if (matches === undefined || listed > MAX_LISTED) return undefined;
      for (const match of matches) next.push(`${start}${match}${last ? '' : '/'}`);
      if (next.length > MAX_FOUND) return undefined;
    }
    found = next;
  }
  return found;
}

const from = (cwd: string, start: string): string => (start.startsWith('/') ? start : `${cwd}/${start}`);

/** The names in a directory that fit; none where it cannot be listed. */
function list(directory: string, pattern: string): readonly string[] | undefined {
  // As one name: two stars are no more than one where they are not alone, and no less.
  const segment = compileSegment(pattern === '**' ? '*' : pattern);
  try {
    const names = readdirSync(directory);
    return names.length > MAX_FOUND * 10
      ? undefined
      : names.filter((name) => matchesSegments([segment], [name]));
  } catch {
    return [];
  }
}
