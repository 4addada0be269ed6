/** Files that decide what runs later: whoever can write them can do anything, so writing them is always asked about. */
import type { Place, WorkingDirectories } from './paths.js';

/** Directories and files, in any directory, in lower case: some file systems do not know the difference. */
const PROTECTED: ReadonlySet<string> = new Set([
  // The agent's own settings, hooks and servers.
  ...['.claude', '.hookline', '.mcp.json', '.claude.json'],
  ...['hookline.yaml', 'hookline.yml', 'hookline.json', 'hookline.mjs'],
  // Git runs what its configuration says.
  ...['.git', '.gitconfig', '.gitmodules', '.husky'],
  // Editors run tasks from here.
  ...['.vscode', '.idea'],
  // What shells read when they start.
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.envrc'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login'],
  'config.fish',
]);

/** The name on the way to a place that makes it protected. */
export function protectedName(place: Place, directories: WorkingDirectories): string | undefined {
  return directories.namesBelow(place).find((name) => PROTECTED.has(name.toLowerCase()));
}
