/** Paths in a text of one agent, led to where another can follow them; where it cannot, they tell nobody's name. */
import { type MovedFolder, rewritePaths } from '../../injection/rewrite-paths.js';
import type { SharedCopy } from './copies.js';

export interface KnownFolders {
  /** By agent: the ways to write the folder in which it works, the usual one first. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  /** Those of the viewer and of the author, the newest first. */
  readonly copies: readonly SharedCopy[];
  /** The ways to write the path of a copy. */
  spellings(path: string): readonly string[];
  /** What the viewer calls an agent. */
  nameOf(agentId: string): string;
}

/** Whatever the text says, a path that is replaced is replaced once. */
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
