/** How much a path covers, seen from the project that an agent works in. */
import { realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, relative, resolve } from 'node:path';

/**
 * - `inside`: below the project, or below a folder for temporary files.
 * - `project`: the whole project, everything in it, or its history.
 * - `around`: a folder that holds the project, such as the home or `/`.
 * - `outside`: somewhere else.
 * - `unknown`: only a running shell knows it.
 */
export type Reach = 'inside' | 'project' | 'around' | 'outside' | 'unknown';

const BY_WIDTH: readonly Reach[] = ['inside', 'unknown', 'outside', 'project', 'around'];
/** The last part of a path that stands for all files: `*`, `.*`, `{*,.*}`, `.[!.]*`. */
const EVERYTHING = /^(?:[*?.]+|\.\[.*|\{.*\*.*\}|\[!?.*\]\*)$/;

/**
 * How much a word of a shell line covers as a path, in the widest case. `folders`: where the command may run. Never throws;
 * reads the file system to resolve links.
 */
export function reachOf(word: string, folders: readonly string[] | undefined, cwd: string): Reach {
  const project = process.env['CLAUDE_PROJECT_DIR'] || cwd;
  if (/[$`]/.test(word)) return 'unknown';
  const path = withoutEverything(word);
  const found = (folders ?? [cwd, '/']).flatMap((folder) => {
    const full = resolve(folder, path);
    return [reach(full, project), reach(realPath(full), realPath(project))];
  });
  const known = folders === undefined && !path.startsWith('/') ? [...found, 'unknown' as const] : found;
  return BY_WIDTH.findLast((each) => known.includes(each)) ?? 'unknown';
}

/** `a/**\/*` is `a`. */
function withoutEverything(word: string): string {
  const isAll = EVERYTHING.test(basename(word)) && !/^\.{1,2}$/.test(basename(word));
  return isAll ? withoutEverything(dirname(word)) : word;
}

/** What `.git` cannot do without. */
const HISTORY = /^\.git\/(?:objects|refs|logs|HEAD|packed-refs|config)(?:\/|$)/;

function reach(path: string, project: string): Reach {
  if (path === project || path === resolve(project, '.git')) return 'project';
  if (HISTORY.test(relative(project, path))) return 'project';
  if (isInside(project, path) || path === homedir()) return 'around';
  const isTemporary = [tmpdir(), '/tmp', '/var/tmp'].some((folder) => isInside(path, folder));
  return isInside(path, project) || isTemporary ? 'inside' : 'outside';
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !/^\.\.(?:[/\\]|$)/.test(way);
}

/** The target of a path whose last parts may not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : resolve(realPath(parent), basename(path));
  }
}
