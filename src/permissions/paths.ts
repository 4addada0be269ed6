/** Paths as they are written and where they really lead; the directories that an agent works in. */
import { lstatSync, readlinkSync, statfsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../base/files/inside.js';

export interface Place {
  /** Absolute, as it is written. */
  readonly path: string;
  /** Where it really is, links followed; undefined where nobody can tell. */
  readonly real: string | undefined;
}

const MAX_LINKS = 40;
const MAX_PATH = 4096;
/** Its links lead wherever the process that follows them happens to be; what is in it may be other programs' secrets. */
const PROC = '/proc';
/** What statfs calls such a file system, wherever it is mounted. */
const PROC_TYPE = 0x9fa0;
/** Whatever they hold is another file under a name that says nothing. */
const NAMELESS: ReadonlySet<string> = new Set(['/dev/fd', '/.vol']);
/** In a shell line these are what the line itself sends there or takes from there. */
const STREAM = /^\/dev\/(?:stdin|stdout|stderr|fd\/\d+)$/;

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
    if (NAMELESS.has(next) || next.length > MAX_PATH) return undefined;
    const found = lookAt(next);
    if (found === undefined) return undefined;
    if (found.target === undefined) at = next;
    else {
      links += 1;
      if (links > MAX_LINKS || isProc(at)) return undefined;
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

function isProc(folder: string): boolean {
  try {
    return statfsSync(folder).type === PROC_TYPE;
  } catch {
    return true;
  }
}

/** As `followLinks`, for many files in the same directories: each directory is followed once. */
export function createLinkFollower(): (path: string) => string | undefined {
  const folders = new Map<string, string | undefined>();
  return (path) => {
    const folder = dirname(path);
    if (!folders.has(folder)) folders.set(folder, followLinks(folder));
    const real = folders.get(folder);
    if (real === undefined) return undefined;
    const file = join(real, basename(path));
    const found = lookAt(file);
    return found?.target === undefined ? found && file : followLinks(file);
  };
}

/** As tools read a path: `link/..` is nothing, since names are put together before anything is opened. */
export function placeOf(path: string, cwd: string, home: string): Place {
  const absolute = resolve(cwd, withHome(path, home));
  return { path: absolute, real: followLinks(absolute) };
}

/** As programs read a path that a shell gave them. */
export function placeInShell(path: string, cwd: string, home: string): Place {
  const expanded = withHome(path, home);
  const absolute = resolve(cwd, expanded);
  if (STREAM.test(expanded)) return { path: absolute, real: absolute };
  return { path: absolute, real: followLinks(isAbsolute(expanded) ? expanded : `${cwd}/${expanded}`) };
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
    if (real === undefined || isInside(real, PROC)) return false;
    return this.#real.some((folder) => isInside(real, folder));
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
