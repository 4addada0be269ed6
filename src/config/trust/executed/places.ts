/** Where a word of a command leads in the file system, as the system follows it. Looks, and runs nothing. */
import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { minimatch } from 'minimatch';

const MAX_MATCHES = 200;
const MAX_JSON_BYTES = 1024 * 1024;
const FIRST_LINE_BYTES = 256;

/**
 * The system goes up from where a link leads, not from its name: `link/../file` does not lie beside `link`. Names only
 * are followed otherwise, so that a link stays visible.
 */
export function pathFrom(folder: string, path: string): string {
  if (!/(?:^|\/)\.\.(?:\/|$)/.test(path)) return resolve(folder, path);
  let at = path.startsWith('/') ? '/' : folder;
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    at = name === '..' ? dirname(realOrSame(at)) : join(at, name);
  }
  return at;
}

export function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** What is there: a directory, or something that can be run. */
export function kindOf(path: string): 'directory' | 'file' | undefined {
  try {
    return statSync(path).isDirectory() ? 'directory' : 'file';
  } catch {
    return undefined;
  }
}

export function isFile(path: string): boolean {
  return kindOf(path) === 'file';
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/** From the directory upwards; undefined when none of them has it. */
export function findUp(folder: string, ...names: readonly string[]): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = names.map((name) => join(at, name)).find((path) => kindOf(path) !== undefined);
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
  }
}

/** A folder and all above it. */
export function upwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The files that match, sorted. Undefined: there are too many. */
export function matchesOf(folder: string, pattern: string): readonly string[] | undefined {
  let found: readonly string[] = [pattern.startsWith('/') ? '/' : folder];
  for (const name of pattern.split('/').filter((part) => part !== '' && part !== '.')) {
    const isPattern = /[*?[]/.test(name);
    found = found.flatMap((start) =>
      (isPattern ? namesIn(start).filter((each) => minimatch(each, name)) : [name]).map((each) =>
        pathFrom(start, each),
      ),
    );
    if (found.length > MAX_MATCHES) return undefined;
  }
  return found.filter(isFile);
}

/** A text file; undefined when it is not there, cannot be read, or is too large. */
export function readText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_JSON_BYTES ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** The words after `#!`. */
export function shebangOf(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(FIRST_LINE_BYTES);
      const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, FIRST_LINE_BYTES, 0));
      return /^#![ \t]*(.*?)[ \t\r]*(?:\n|$)/.exec(text)?.[1];
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
