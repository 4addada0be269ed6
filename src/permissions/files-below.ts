/** Lists the files below a directory, as far as that is possible quickly. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchedFolder } from './analyse-line.js';

const MAX_ENTRIES = 5000;

/** Links are listed and not followed. Undefined if there are too many files, or some cannot be read. */
export function filesBelow({ path: folder, hidden }: SearchedFolder): readonly string[] | undefined {
  const found: string[] = [];
  const open = [folder];
  let seen = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    try {
      for (const entry of readdirSync(at, { withFileTypes: true })) {
        seen += 1;
        if (seen > MAX_ENTRIES) return undefined;
        if (!hidden && entry.name.startsWith('.')) continue;
        const path = join(at, entry.name);
        if (entry.isDirectory()) open.push(path);
        else found.push(path);
      }
    } catch {
      return undefined;
    }
  }
  return found;
}
