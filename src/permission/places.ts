/** Paths as they are written and where they really lead; the directories that an agent works in. */
import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

export interface Place {
  /** Absolute, as it is written. */
  readonly path: string;
  /** Where it really is, links followed; undefined where nobody can tell. */
  readonly real: string | undefined;
}

const MOST_LINKS = 40;
const LONGEST_PATH = 4096;
/** Its links lead wherever the process that follows them happens to be. */
const MAGIC = '/proc';

/**
 * Goes the way the system would go, name by name, so that `link/..` is the parent of where the link leads. What does not
 * exist is taken by its name; a link to something that does not exist leads there all the same.
 */
export function followLinks(path: string): string | undefined {
  const names = path.split('/').reverse();
  let at = '/';
  for (let links = 0, name = names.pop(); name !== undefined; name = names.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    if (next === MAGIC || next.length > LONGEST_PATH) return undefined;
    const found = lookAt(next);
    if (found === undefined) return undefined;
    if (found.target === undefined) at = next;
    else {
      links += 1;
      if (links > MOST_LINKS) return undefined;
      if (isAbsolute(found.target)) at = '/';
      names.push(...found.target.split('/').reverse());
    }
  }
  return at;
}

/** Where a link leads; undefined when it may not be looked at. */
function lookAt(path: string): { readonly target?: string } | undefined {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? { target: readlinkSync(path) } : {};
  } catch (error) {
    // Below a file there is nothing that could lead elsewhere.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? {} : undefined;
  }
}

/** As tools read a path: `link/..` is nothing, since names are put together before anything is opened. */
export function placeOf(path: string, cwd: string, home: string): Place {
  const absolute = resolve(cwd, withHome(path, home));
  return { path: absolute, real: followLinks(absolute) };
}

/** As programs read a path that a shell gave them. */
export function placeInShell(path: string, cwd: string, home: string): Place {
  const expanded = withHome(path, home);
  return {
    path: resolve(cwd, expanded),
    real: followLinks(isAbsolute(expanded) ? expanded : `${cwd}/${expanded}`),
  };
}

/** Another person's home is nowhere that is known. */
function withHome(path: string, home: string): string {
  if (path === '~' || path.startsWith('~/')) return home + path.slice(1);
  return path.startsWith('~') ? `/${path}` : path;
}

/** Immutable. The first one is the project's root. */
export class WorkingDirectories {
  readonly paths: readonly string[];
  readonly #real: readonly string[];

  constructor(paths: readonly string[]) {
    this.paths = [...new Set(paths)];
    this.#real = this.paths.map((path) => followLinks(path) ?? path);
  }

  holds({ real }: Place): boolean {
    return real !== undefined && this.#real.some((folder) => isInside(real, folder));
  }

  /** The ways to write a path: a directory may be known by its real name and by the one it was given with. */
  spellings(path: string): readonly string[] {
    const given = this.#real.flatMap((folder, index) =>
      isInside(path, folder) ? [join(this.paths[index] ?? folder, relative(folder, path))] : [],
    );
    return [...new Set([path, ...given])];
  }

  /** The names on the way from the directory that holds a place, or from the top of the file system, down to it. */
  namesBelow({ real, path }: Place): readonly string[] {
    const written = this.paths.find((folder) => isInside(path, folder));
    const followed = this.#real.find((folder) => real !== undefined && isInside(real, folder));
    return [
      ...relative(written ?? '/', path).split(sep),
      ...(real === undefined ? [] : relative(followed ?? '/', real).split(sep)),
    ];
  }
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`));
}
