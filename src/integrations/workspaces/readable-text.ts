/** Rewrites paths in one agent's text so that another agent can open them; paths it cannot open are anonymised. */
import { type MovedFolder, rewritePaths } from '../../injection/rewrite-paths.js';
import type { SharedCopy } from './copies.js';

export interface KnownFolders {
  /** By agent: the spellings of its workspace path, the usual one first. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** The copies of the viewer and of the author, newest first. */
  readonly copies: readonly SharedCopy[];
  /** The spellings of a copy's path. */
  spellings(path: string): readonly string[];
  /** The viewer's name for an agent. */
  nameOf(agentId: string): string;
}

/** A replaced path is not replaced again. */
export function makeReadable(text: string, viewer: string, known: KnownFolders): string {
  const placeFor = (author: string, revision?: number): string => {
    const own = known.folders.get(author)?.[0];
    if (author === viewer && own !== undefined) return own;
    const copies = known.copies.filter((copy) => copy.author === author && copy.viewer === viewer);
    const copy = copies.find((each) => each.revision === revision) ?? copies[0];
    return copy?.path ?? `(${known.nameOf(author)})`;
  };
  const moved: MovedFolder[] = [];
  for (const [author, spellings] of known.folders)
    for (const from of spellings) moved.push({ from, to: author === viewer ? from : placeFor(author) });
  for (const { viewer: owner, author, revision, path } of known.copies)
    for (const from of known.spellings(path))
      moved.push({ from, to: owner === viewer ? from : placeFor(author, revision) });
  return rewritePaths(text, moved);
}

/** Whether a text names one of the folders, or something in it. */
export function mentions(text: string, folders: readonly string[]): boolean {
  return (
    rewritePaths(
      text,
      folders.map((from) => ({ from, to: '' })),
    ) !== text
  );
}
