/** Whether one path lies under another. Compares names only: resolve links before. */
import { isAbsolute, relative, sep } from 'node:path';

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`));
}
