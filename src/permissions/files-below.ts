/** Lists the files that a program reads below a directory, as far as that is possible quickly. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import type { FileFilter } from '../shell/affected-paths.js';
import type { SearchedFolder } from './analyse-line.js';
import { followLinks } from './paths.js';
import { compileSegment, matchesSegments } from './rule-glob.js';

const MAX_ENTRIES = 5000;
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore', '.agignore', '.git/info/exclude'];

/** Of a link both names are listed; directories behind links are not. Undefined if there are too many files, or some cannot be read. */
export function filesBelow({ path: folder, filter }: SearchedFolder): readonly string[] | undefined {
  const found: string[] = [];
  const open = [folder];
  const included = filter.visible ? includedAbove(folder) : [];
  const ignored = filter.ignoredBy === undefined ? undefined : ignoredIn(folder, filter.ignoredBy);
  let seen = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    try {
      const entries = readdirSync(at, { withFileTypes: true });
      if (filter.visible) included.push(...includedIn(at));
      for (const entry of entries) {
        seen += 1;
        if (seen > MAX_ENTRIES) return undefined;
        if (isLeftOut(entry.name, filter, included)) continue;
        const path = join(at, entry.name);
        if (ignored?.(path)) continue;
        if (entry.isDirectory()) open.push(path);
        else if (filter.only === undefined || matchesOne(filter.only, entry.name))
          found.push(path, ...(entry.isSymbolicLink() ? [followLinks(path) ?? path] : []));
      }
    } catch {
      return undefined;
    }
  }
  return found;
}

function isLeftOut(name: string, { except = [], visible }: FileFilter, included: readonly string[]): boolean {
  return (
    matchesOne(except, name) || (visible === true && name.startsWith('.') && !matchesOne(included, name))
  );
}

/** Lines that are plain paths or patterns; with a line that brings files back (`!x`), nothing is left out. */
function ignoredIn(folder: string, file: string): ((path: string) => boolean) | undefined {
  try {
    const lines = readFileSync(join(folder, file), 'utf8').split(/\r?\n/);
    if (lines.some((line) => line.startsWith('!'))) return undefined;
    const patterns = lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) =>
        posix
          .normalize(line.trim())
          .split('/')
          .filter((name) => name !== '')
          .map(compileSegment),
      );
    return (path) => {
      const names = relative(folder, path).split('/');
      return patterns.some((pattern) => matchesSegments(pattern, names));
    };
  } catch {
    return undefined;
  }
}

function matchesOne(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesSegments([compileSegment(pattern)], [name]));
}

function includedAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [...includedIn(above), ...includedAbove(above)];
}

/** The names in lines such as `!.env`, which make a search read a hidden file. */
function includedIn(folder: string): readonly string[] {
  return IGNORE_FILES.flatMap((file) => {
    try {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n');
      return lines.flatMap((line) => (line.startsWith('!') ? line.slice(1).trim().split('/') : []));
    } catch {
      return [];
    }
  }).filter((name) => name !== '');
}
