/** Replaces paths in a text by the paths under which the reader can open them. */

/** A folder's original path, and the path of the reader's copy. */
export interface MovedFolder {
  readonly from: string;
  readonly to: string;
}

/**
 * Replaces folders by the reader's copies. Only complete path segments match: `/w/agent_1` is not replaced in
 * `/w/agent_10`. Longer paths are replaced first, and a replaced path is not replaced again. Never throws.
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

/** Escapes a text for use in a regular expression. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
