/**
 * Lists the files below a directory, within limits; does not follow links, and skips directories such as
 * node_modules.
 */
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Minimatch } from 'minimatch';
import type { ToolContext } from './tool.js';

const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);
export const MAX_WALKED = 200_000;
const MAX_GLOB = 1000;
const STATS_AT_ONCE = 64;
const TESTS_AT_ONCE = 256;

export interface Walked {
  /** Relative to the root, with forward slashes, sorted by directory and name. */
  readonly files: readonly string[];
  /** Whether the walk stopped at its limit. */
  readonly incomplete: boolean;
}

/** Skips directories that cannot be read, except for the root. */
export async function walk(
  root: string,
  wanted: (path: string) => boolean,
  signal: AbortSignal,
  /** Whether links count as files. Their targets may be outside the root. */
  links = true,
): Promise<Walked> {
  const files: string[] = [];
  const directories = [''];
  let seen = 0;
  for (let directory = directories.pop(); directory !== undefined; directory = directories.pop()) {
    signal.throwIfAborted();
    const entries = await readEntries(join(root, directory), directory === '');
    const below: string[] = [];
    for (const entry of entries) {
      if (++seen > MAX_WALKED) return { files, incomplete: true };
      const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) below.push(path);
      else if ((entry.isFile() || (links && entry.isSymbolicLink())) && wanted(path)) files.push(path);
    }
    directories.push(...below.reverse());
  }
  return { files, incomplete: false };
}

async function readEntries(directory: string, isRoot: boolean): Promise<Dirent[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isRoot) throw error;
    return [];
  }
}

/**
 * Returns a predicate for relative paths, or an error message. `anywhere`: a pattern without a slash matches in every
 * directory.
 */
export function compileGlob(
  pattern: string,
  options: { readonly anywhere: boolean },
): ((path: string) => boolean) | string {
  if (pattern.length > MAX_GLOB) return `The pattern is longer than ${MAX_GLOB} characters.`;
  const matcher = new Minimatch(pattern, {
    dot: true,
    nocomment: true,
    nonegate: true,
    matchBase: options.anywhere,
    // Braces multiply: without a limit, a short pattern could expand to millions.
    braceExpandMax: 1000,
  });
  return (path) => matcher.match(path);
}

/** Removes the files that the agent may not read. Yields to the event loop, because there may be many. */
export async function leaveOutUnreadable(
  paths: readonly string[],
  { mayRead, signal }: Pick<ToolContext, 'mayRead' | 'signal'>,
): Promise<{ readonly paths: readonly string[]; readonly hidden: number }> {
  if (mayRead === undefined) return { paths, hidden: 0 };
  const readable: string[] = [];
  for (const [i, path] of paths.entries()) {
    if (i % TESTS_AT_ONCE === TESTS_AT_ONCE - 1) await setImmediate();
    signal.throwIfAborted();
    if (mayRead(path)) readable.push(path);
  }
  return { paths: readable, hidden: paths.length - readable.length };
}

/** Returns a line about hidden files, if there are any. */
export function describeHidden(hidden: number): readonly string[] {
  if (hidden === 0) return [];
  const files = hidden === 1 ? '1 file is' : `${hidden} files are`;
  return [`[${files} not shown: reading ${hidden === 1 ? 'it' : 'them'} is denied by a permission rule]`];
}

/** Absolute paths of regular files, newest first. Files that no longer exist are left out. */
export async function newestFirst(paths: readonly string[], signal: AbortSignal): Promise<string[]> {
  const dated: { path: string; time: number }[] = [];
  for (let at = 0; at < paths.length; at += STATS_AT_ONCE) {
    signal.throwIfAborted();
    const infos = await Promise.all(
      paths
        .slice(at, at + STATS_AT_ONCE)
        .map(async (path) => ({ path, info: await stat(path).catch(() => null) })),
    );
    for (const { path, info } of infos) if (info?.isFile()) dated.push({ path, time: info.mtimeMs });
  }
  dated.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1));
  return dated.map(({ path }) => path);
}

/** The path relative to the working directory if it is inside, otherwise the absolute path. */
export function shortPath(cwd: string, path: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}
