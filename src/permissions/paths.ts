/** Paths as written and their real locations, and the directories that an agent works in. */
import { lstatSync, readdirSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../base/files/inside.js';

export interface Place {
  /** Absolute, as written. */
  readonly path: string;
  /** The real location, with links resolved; undefined if it cannot be determined. */
  readonly real: string | undefined;
}

const MAX_LINKS = 40;
const MAX_PATH = 4096;
/** Its links depend on the process that follows them, and its files may hold other programs' secrets. */
const PROC = '/proc';
/** The statfs type of procfs, wherever it is mounted. */
const PROC_TYPE = 0x9fa0;
/** Their entries are other files under meaningless names. */
const NAMELESS: ReadonlySet<string> = new Set(['/dev/fd', '/.vol']);
/** In a shell line these are the line's own input and output. */
const STREAM = /^\/dev\/(?:stdin|stdout|stderr|fd\/\d+)$/;

/**
 * Resolves a path as the system does, name by name, so that `link/..` is the parent of the link's target. A missing
 * file keeps its name; a link to a missing file leads there all the same. Undefined if it cannot be determined.
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

/** The target of a link; undefined if access is denied. */
function lookAt(path: string): { readonly target?: string } | undefined {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? { target: readlinkSync(path) } : {};
  } catch (error) {
    // Nothing exists below a file, so nothing there can lead elsewhere.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? {} : undefined;
  }
}

/**
 * Whether the file system ignores case where a path is: the same name in the other case is the same file. Asks the
 * nearest name on the way that exists; true if there is none to ask.
 */
export function ignoresCase(path: string): boolean {
  const name = basename(path);
  const other = [...name].map((letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const folder = dirname(path);
  const [one, two] = [path, join(folder, other.join(''))].map((each) => {
    try {
      return lstatSync(each, { throwIfNoEntry: false, bigint: true });
    } catch {
      return undefined;
    }
  });
  if (one !== undefined && name !== other.join('')) return two?.ino === one.ino && two.dev === one.dev;
  return folder === path || ignoresCase(folder);
}

function isProc(folder: string): boolean {
  try {
    return statfsSync(folder).type === PROC_TYPE;
  } catch {
    return true;
  }
}

/** Like `followLinks`, for many files in the same directories: each directory is resolved once. */
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

/** As tools resolve a path: `link/..` cancels out, because the path is normalised before it is opened. */
export function placeOf(path: string, cwd: string, home: string): Place {
  const absolute = resolve(cwd, withHome(path, home));
  return { path: absolute, real: followLinks(absolute) };
}

/** As programs resolve a path that a shell passes to them. */
export function placeInShell(path: string, cwd: string, home: string): Place {
  const expanded = withHome(path, home);
  const absolute = resolve(cwd, expanded);
  if (STREAM.test(expanded)) return { path: absolute, real: absolute };
  return { path: absolute, real: followLinks(isAbsolute(expanded) ? expanded : `${cwd}/${expanded}`) };
}

/** The home of another user is unknown. */
function withHome(path: string, home: string): string {
  if (path === '~' || path.startsWith('~/')) return home + path.slice(1);
  return path.startsWith('~') ? `/${path}` : path;
}

/** The links among the entries of a directory. */
export function linksIn({ real, path }: Place): readonly string[] {
  try {
    const entries = readdirSync(real ?? path, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isSymbolicLink() ? [join(real ?? path, entry.name)] : []));
  } catch {
    // The program cannot list it either.
    return [];
  }
}

export function isDirectory({ real, path }: Place): boolean {
  try {
    return statSync(real ?? path).isDirectory();
  } catch {
    return false;
  }
}

export function isThere(path: string, folder: string): boolean {
  try {
    return lstatSync(isAbsolute(path) ? path : join(folder, path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Immutable. The first directory is the project root. */
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

  /** All spellings of a path: a directory may be known by its real path and by the one it was given as. */
  spellings(path: string): readonly string[] {
    const given = this.#real.flatMap((folder, index) =>
      isInside(path, folder) ? [join(this.paths[index] ?? folder, relative(folder, path))] : [],
    );
    return [...new Set([path, ...given])];
  }

  /** The names from the directory that contains a place, or from the file system root, down to the place. */
  namesBelow({ real, path }: Place): readonly string[] {
    const written = this.paths.find((folder) => isInside(path, folder));
    const followed = this.#real.find((folder) => real !== undefined && isInside(real, folder));
    return [
      ...relative(written ?? '/', path).split(sep),
      ...(real === undefined ? [] : relative(followed ?? '/', real).split(sep)),
    ];
  }
}
