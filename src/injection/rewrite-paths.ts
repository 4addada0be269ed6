/** Paths in a text, led to where the reader can follow them. */

/** Where a folder is for its owner, and where the reader has its copy. */
export interface MovedFolder {
  readonly from: string;
  readonly to: string;
}

/**
 * Replaces folders by where they are for the reader. `/w/agent_1` is no part of `/w/agent_10`: a folder counts where its
 * name ends. Longer ones go first, and what was replaced is not replaced again. Never throws.
 */
export function rewritePaths(text: string, folders: readonly MovedFolder[]): string {
  const moved = new Map(
    folders
      .map(({ from, to }) => [withoutSlash(from), withoutSlash(to)] as const)
      .filter(([from]) => from !== ''),
  );
  if (moved.size === 0) return text;
  const names = [...moved.keys()].sort((a, b) => b.length - a.length).map(escapePattern);
  const name = String.raw`\p{L}\p{N}_~\-`;
  const pattern = new RegExp(
    `(?<![${name}.])(?:${names.join('|')})(?![${name}+@%]|=[${name}]|\\.[${name}])`,
    'gu',
  );
  return text.replaceAll(pattern, (folder) => moved.get(folder) ?? folder);
}

function withoutSlash(path: string): string {
  return path.replace(/[/\\]+$/, '');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
