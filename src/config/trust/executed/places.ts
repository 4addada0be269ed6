/** Resolves words of a command in the file system, as the system does. Only inspects, runs nothing. */
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
 * `..` is resolved from the target of a link, as the system does: `link/../file` is not next to `link`. Other links are
 * kept, so that they stay visible.
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

/** A directory, or anything else that exists. */
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

/** Searches the folder and those above it; undefined if none has it. */
export function findUp(folder: string, ...names: readonly string[]): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = names.map((name) => join(at, name)).find((path) => kindOf(path) !== undefined);
    if (found !== undefined) return found;
    if (dirname(at) === at) return undefined;
  }
}

/** A folder and all folders above it. */
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

/** The matching files, sorted. Undefined if there are too many. */
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

/** The content of a text file; undefined if it does not exist, cannot be read, or is too large. */
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
