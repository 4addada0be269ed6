/** Whether one path is inside another, by name or by real location. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** Compares names only; resolve links first. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`));
}

/** Follows links first. A path that does not exist is compared by name. */
export async function isReallyInside(path: string, folder: string): Promise<boolean> {
  const [real, root] = await Promise.all([path, folder].map((each) => realpath(each).catch(() => each)));
  return isInside(real ?? path, root ?? folder);
}
