/** Files that determine what runs later. Writing them could lead to anything, so it always needs confirmation. */
import type { Place, WorkingDirectories } from './paths.js';

/** Directories and files, in any directory. In lower case, because some file systems ignore case. */
const PROTECTED: ReadonlySet<string> = new Set([
  // The agent's own settings, hooks and servers.
  ...['.claude', '.hookline', '.mcp.json', '.claude.json'],
  ...['hookline.yaml', 'hookline.yml', 'hookline.json', 'hookline.mjs'],
  // Git runs programs named in its configuration.
  ...['.git', '.gitconfig', '.gitmodules', '.husky'],
  // Editors run tasks from here.
  ...['.vscode', '.idea'],
  // Startup files of shells.
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.envrc'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login'],
  'config.fish',
]);

/** The name in a path that makes it protected. */
export function protectedName(place: Place, directories: WorkingDirectories): string | undefined {
  return directories.namesBelow(place).find((name) => PROTECTED.has(name.toLowerCase()));
}
