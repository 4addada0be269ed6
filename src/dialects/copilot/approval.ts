/** Which entries Copilot CLI skips: those of a repository in a folder that it does not trust. */
import type { Installed } from '../host/host.js';

/** Both spellings of the key were seen to work. */
const KEYS = ['trusted_folders', 'trustedFolders'];

export async function skippedByCopilot(installed: Installed): Promise<readonly string[]> {
  const { scope, entries, workspace, readUserFile } = installed;
  if (scope === 'user') return [];
  const config = (await readUserFile('config.json')) ?? {};
  const folders = KEYS.flatMap((key) => config[key]);
  return folders.includes(workspace) ? [] : entries.map(({ name }) => name);
}
