/** Expands the wildcards in a word of a shell line, using the file system. */
import { readdirSync } from 'node:fs';
import { foldCase } from '../base/text/fold-case.js';
import { compileSegment, matchesSegments } from './rule-glob.js';

const MAX_FOUND = 1000;
const MAX_LISTED = 100;

/** Braces that turn one word into several. */
const BRACES = /\{[^}]*(?:,|\.\.)/;

/**
 * Everything the word could expand to; `loose`: wildcards may stand for the dot at the start of a name, and letters
 * for capitals. Undefined if uncertain or too much. If nothing matches, the word stays as it is.
 */
export function expandWord(word: string, cwd: string, loose: boolean): readonly string[] | undefined {
  if (BRACES.test(word) || /[[\\]/.test(word)) return undefined;
  const names = word.split('/');
  let found: readonly string[] = [''];
  let listed = 0;
  for (const [index, name] of names.entries()) {
    const last = index === names.length - 1;
    const next: string[] = [];
    for (const start of found) {
      const matches = /[*?]/.test(name) ? list(start === '' ? cwd : from(cwd, start), name, loose) : [name];
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

/** The matching names in a directory; none if it cannot be listed. */
function list(directory: string, pattern: string, loose: boolean): readonly string[] | undefined {
  const fold = loose ? foldCase : (text: string): string => text;
  // Within one name, `**` means the same as `*`.
  const segment = compileSegment(fold(pattern === '**' ? '*' : pattern));
  try {
    const names = readdirSync(directory);
    return names.length > MAX_FOUND * 10
      ? undefined
      : names.filter(
          (name) =>
            (loose || pattern.startsWith('.') || !name.startsWith('.')) &&
            matchesSegments([segment], [fold(name)]),
        );
  } catch {
    return [];
  }
}
