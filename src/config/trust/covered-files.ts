/** Finds the files that a hook names and takes down what is in them, without running anything. */
import type { Stats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { interpreterOf } from '../preflight/interpreters.js';
import { digestFile } from './hash.js';
import { isInside } from './inside.js';
import { namedWords } from './named-words.js';
import type { TrustSubject } from './subject.js';

export interface CoveredFile {
  /** From the workspace where it is inside, else the full path. */
  readonly path: string;
  /** The digest of its content, or `absent`, `special`, `large:…`, `unreadable:…`. */
  readonly content: string;
  /** Where a symbolic link on the way to it leads. */
  readonly target?: string;
  /** It is named inside the workspace and lies outside of it. */
  readonly leaves?: true;
}

/** Sorted by path. Throws when there is too much to look at. */
export async function coveredFiles(subject: TrustSubject): Promise<CoveredFile[]> {
  const workspace = await realOrSame(subject.workspace);
  const plugin = subject.pluginRoot === undefined ? undefined : await realOrSame(subject.pluginRoot);
  const roots = plugin === undefined ? [workspace] : [workspace, plugin];
  const expand = expander(subject, workspace, plugin);
  const { words, directories } = namedWords(subject);
  const bases = [workspace, ...[...directories].map((folder) => resolve(workspace, expand(folder)))];
  const found = new Map<string, CoveredFile>();
  for (const [word, program] of words) {
    const text = expand(word);
    const looksLikePath = /[/\\]|\.\w{1,4}$/.test(word);
    for (const path of isAbsolute(text) ? [text] : bases.map((base) => resolve(base, text))) {
      const file = await look(path, workspace, roots, program);
      if (file && (looksLikePath || file.content !== 'absent')) found.set(file.path, file);
    }
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function look(
  path: string,
  workspace: string,
  roots: readonly string[],
  program: boolean,
): Promise<CoveredFile | undefined> {
  const named = isInsideAny(path, roots);
  const shown = isInside(path, workspace) ? relative(workspace, path).split(sep).join('/') : path;
  const stats = await statOf(path);
  if (stats === 'impossible') return undefined;
  // A directory is no file either: making one changes nothing.
  if (stats === 'absent' || stats.isDirectory()) {
    return named || program ? { path: shown, content: 'absent' } : undefined;
  }
  const real = await realOrSame(path);
  const inside = isInsideAny(real, roots);
  if (!(named || inside) && (!program || isSystemProgram(path))) return undefined;
  const content = stats.isFile() ? await digestFile(real) : 'special';
  return {
    path: shown,
    content,
    ...(real !== path && { target: isInside(real, workspace) ? relative(workspace, real) : real }),
    ...(named && !inside && { leaves: true as const }),
  };
}

/** An update of bash or Node is no change of the hook. */
function isSystemProgram(path: string): boolean {
  return interpreterOf(path) !== undefined || basename(path) === 'env';
}

async function statOf(path: string): Promise<Stats | 'absent' | 'impossible'> {
  try {
    return await stat(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'absent';
    // Present but not to be followed or entered: as a link it still counts by itself.
    return lstat(path).catch(() => 'impossible' as const);
  }
}

/** Expands what a shell would: our own variables, the hook's, and the home directory. */
function expander(
  { handler }: TrustSubject,
  workspace: string,
  plugin: string | undefined,
): (text: string) => string {
  const own = handler['env'];
  const variables = new Map<string, unknown>([
    ['HOME', homedir()],
    ...(typeof own === 'object' && own !== null ? Object.entries(own) : []),
    ['CLAUDE_PROJECT_DIR', workspace],
    ['CLAUDE_PLUGIN_ROOT', plugin],
    ['PWD', workspace],
  ]);
  const known = (name: string): string | undefined => {
    const value = variables.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return (text) =>
    text
      .replace(/^~(?=\/|$)/, () => homedir())
      .replace(
        /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?[-=]([^}]*))?\})/g,
        (raw, plain, braced, fallback) => known(plain ?? braced) ?? fallback ?? raw,
      );
}

const isInsideAny = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isInside(path, folder));

async function realOrSame(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return resolve(path);
  }
}
