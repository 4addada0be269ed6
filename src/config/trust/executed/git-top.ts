/** The top folder of the git repository around a folder, as `git rev-parse --show-toplevel` prints it. */
import { dirname, join } from 'node:path';
import { findUp, isFile, kindOf, pathFrom, readText, realOrSame } from './places.js';

export interface GitTop {
  readonly top: string;
  /** The config file, which can name another top folder, and that setting. */
  readonly config: string;
  readonly worktree: string | undefined;
  /** The other files that determine the top folder. */
  readonly beside: readonly string[];
}

/** Null if there is no repository, so that git fails. Undefined if it cannot be determined. */
export function findGitTop(folder: string): GitTop | null | undefined {
  const entry = findUp(folder, '.git');
  if (entry === undefined) return null;
  const folderOfGit = kindOf(entry) === 'directory' ? entry : linkedFrom(entry);
  if (folderOfGit === undefined) return undefined;
  const beside = [entry, join(folderOfGit, 'commondir'), join(folderOfGit, 'config.worktree')].filter(isFile);
  const common = readText(join(folderOfGit, 'commondir'))?.trim();
  const config = join(common === undefined ? folderOfGit : pathFrom(folderOfGit, common), 'config');
  const texts = [config, join(folderOfGit, 'config.worktree')].map((file) => readText(file) ?? '');
  // If set, git uses this folder as the top.
  const worktree = settingsIn(texts.join('\n')).get('core.worktree');
  const top = worktree === undefined ? dirname(entry) : pathFrom(folderOfGit, worktree);
  return { top: realOrSame(top), config, worktree, beside };
}

/** A worktree or a submodule has a file that names its repository. */
function linkedFrom(entry: string): string | undefined {
  const path = /^gitdir:\s*(.+)$/m.exec(readText(entry) ?? '')?.[1]?.trim();
  return path === undefined ? undefined : pathFrom(dirname(entry), path);
}

/** Settings by lower-case name; the last one wins. */
export function settingsIn(config: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let section = '';
  for (const line of config.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    const [, name, inner, rest = ''] =
      /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line) ?? [];
    if (name !== undefined) section = [name, ...(inner === undefined ? [] : [inner])].join('.').toLowerCase();
    const [, key, value = 'true'] =
      /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?)\s*)?$/.exec(name === undefined ? line : rest) ?? [];
    if (key !== undefined) found.set(`${section}.${key.toLowerCase()}`, value.replace(/^"(.*)"$/, '$1'));
  }
  return found;
}
