/** Paths in a text of one agent, led to where another can follow them; where it cannot, they tell nobody's name. */
import { type MovedFolder, rewritePaths } from '../injection/rewrite-paths.js';
import { spellingsOf } from './spellings.js';
import type { SharedCopy, WorkspaceSnapshot } from './workspaces.js';

export interface KnownFolders {
  /** By agent: the ways to write the folder in which it works, the usual one first. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
  readonly copies: readonly SharedCopy[];
  readonly snapshots: readonly Pick<WorkspaceSnapshot, 'agentId' | 'revision' | 'path'>[];
  /** What the viewer calls an agent. */
  nameOf(agentId: string): string;
}

/** Whatever the text says, a path that is replaced is replaced once. */
export function makeReadable(text: string, viewer: string, known: KnownFolders): string {
  const placeFor = (author: string, revision?: number): string => {
    const own = known.folders.get(author)?.[0];
    if (author === viewer && own !== undefined) return own;
    const copies = known.copies
      .filter((copy) => copy.author === author && copy.viewer === viewer)
      .sort((a, b) => b.revision - a.revision);
    const copy = copies.find((each) => each.revision === revision) ?? copies[0];
    return copy?.path ?? `(${known.nameOf(author)})`;
  };
  const moved: MovedFolder[] = [];
  for (const [author, spellings] of known.folders)
    for (const from of spellings) moved.push({ from, to: author === viewer ? from : placeFor(author) });
  for (const { agentId, revision, path } of known.snapshots)
    for (const from of spellingsOf(path)) moved.push({ from, to: placeFor(agentId, revision) });
  for (const copy of known.copies) {
    const to = copy.viewer === viewer ? copy.path : placeFor(copy.author, copy.revision);
    for (const from of spellingsOf(copy.path)) moved.push({ from, to });
  }
  return rewritePaths(text, moved);
}
