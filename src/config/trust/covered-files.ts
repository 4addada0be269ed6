/** Records the content of the files that a hook executes, without running anything. */
import type { Stats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { isInside } from '../../base/files/inside.js';
import { interpreterOf } from '../../shell/interpreters.js';
import { canonical } from './canonical.js';
import type { ExecutedFile } from './executed/executed-files.js';
import { executedBy, type Roots } from './executed/of-subject.js';
import { digestFile, sha256 } from './hash.js';
import { UnresolvedError } from './problem.js';
import type { TrustSubject } from './subject.js';

export interface CoveredFile {
  /** Relative to the workspace if inside it, otherwise absolute. */
  readonly path: string;
  /**
   * The digest of its content, or `absent`, `special`, `large:…`, `unreadable:…`; `part:names:…` if only these values
   * matter. It begins with `NOT_EXECUTABLE` if it is started as a program and cannot be.
   */
  readonly content: string;
  /** The target, if its path goes through a symbolic link. */
  readonly target?: string;
  /** Named inside the workspace but located outside it. */
  readonly leaves?: true;
}

/** A guard that is no longer executable does not start, so it is another version of the hook. */
export const NOT_EXECUTABLE = 'not executable, ';

/** What an approval of a hook covers. */
export interface Coverage {
  /** Sorted by path. */
  readonly files: readonly CoveredFile[];
  /** The paths of those that are started as programs. */
  readonly programs: ReadonlySet<string>;
  /** Required files that do not exist. */
  readonly missing: readonly string[];
  /** Absolute paths of the folders where a new file could run instead of a covered one. */
  readonly folders: readonly string[];
}

/** Sorted by path. Throws if what the hook runs cannot be determined, and if there are too many files. */
export async function coveredFiles(subject: TrustSubject): Promise<CoveredFile[]> {
  return [...(await coverageOf(subject)).files];
}

/** Throws as `coveredFiles` does. */
export async function coverageOf(subject: TrustSubject): Promise<Coverage> {
  const roots = await rootsOf(subject);
  const executed = executedBy(subject, roots);
  const [unknown] = executed.unknown;
  if (unknown !== undefined) throw new UnresolvedError(unknown);
  const files: CoveredFile[] = [];
  const programs = new Set<string>();
  const missing: string[] = [];
  for (const [path, each] of executed.files) {
    const file = await look(path, roots, each);
    if (file === undefined) continue;
    files.push(file);
    if (each.started) programs.add(file.path);
    if (each.needed && file.content === 'absent') missing.push(file.path);
  }
  for (const [path, parts] of executed.parts) {
    if (executed.files.has(path)) continue;
    const set = [...parts].flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const names = (set.length > 0 ? set : [...parts.keys()]).sort();
    const file = await look(path, roots, { program: false });
    const digest = sha256(canonical(Object.fromEntries(parts)));
    if (file) files.push({ ...file, content: `part:${names.join(',')}:${digest}` });
  }
  return {
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    programs,
    missing: missing.sort(),
    folders: [...executed.folders].sort(),
  };
}

/** Whether what a hook executes depends on the folder in which it runs, or cannot be determined. Never throws. */
export function dependsOnFolder(subject: TrustSubject): boolean {
  const { workspace, pluginRoot: plugin } = subject;
  try {
    return executedBy(subject, { workspace, plugin }, { anywhere: true }).unknown.size > 0;
  } catch {
    return true;
  }
}

async function rootsOf({ workspace, pluginRoot }: TrustSubject): Promise<Roots> {
  return {
    workspace: await realOrSame(workspace),
    plugin: pluginRoot === undefined ? undefined : await realOrSame(pluginRoot),
  };
}

async function look(
  path: string,
  { workspace, plugin }: Roots,
  { program, started = false }: Pick<ExecutedFile, 'program' | 'started'>,
): Promise<CoveredFile | undefined> {
  const isOurs = (place: string): boolean =>
    isInside(place, workspace) || (plugin !== undefined && isInside(place, plugin));
  const named = isOurs(path);
  const shown = isInside(path, workspace) ? relative(workspace, path).split(sep).join('/') : path;
  const stats = await statOf(path);
  const isSystems = program && !named && isSystemProgram(path);
  // A directory counts as absent: creating one changes nothing.
  if (stats === 'absent' || stats.isDirectory())
    return isSystems ? undefined : { path: shown, content: 'absent' };
  const real = await realOrSame(path);
  const inside = isOurs(real);
  if (isSystems && !inside) return undefined;
  const content = stats.isFile() ? await digestFile(real) : 'special';
  return {
    path: shown,
    content: started && stats.isFile() && !isExecutable(stats.mode) ? `${NOT_EXECUTABLE}${content}` : content,
    ...(real !== path && { target: isInside(real, workspace) ? relative(workspace, real) : real }),
    ...(named && !inside && { leaves: true as const }),
  };
}

/** By somebody. */
export const isExecutable = (mode: number): boolean => (mode & 0o111) !== 0;

const SYSTEM_FOLDER = /^\/(?:usr|bin|sbin|opt\/homebrew|nix\/store|snap|System|Library)\//;

/** An update of bash or Node is not a change of the hook. */
function isSystemProgram(path: string): boolean {
  return SYSTEM_FOLDER.test(path) || interpreterOf(path) !== undefined || basename(path) === 'env';
}

/** A path that exists but cannot be followed or entered counts as itself, like a link; an impossible path is absent. */
async function statOf(path: string): Promise<Stats | 'absent'> {
  try {
    return await stat(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent';
    return lstat(path).catch(() => 'absent' as const);
  }
}

async function realOrSame(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return resolve(path);
  }
}
