/** Whether one path lies under another: by their names, or by where they really are. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';

/** Compares names only: resolve links before. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`));
}

/** Follows links first; what is not there yet is taken by its name. */
export async function isReallyInside(path: string, folder: string): Promise<boolean> {
  const [real, root] = await Promise.all([path, folder].map((each) => realpath(each).catch(() => each)));
  return isInside(real ?? path, root ?? folder);
}
