/** Names what cannot be read in the files with hooks, for commands about hosts: hooks that are lost guard no host. */
import { reportBroken } from '../check/broken.js';
import { disposeHooks, loadHooks } from '../hooks/load.js';
import type { Io } from '../io.js';

/** Also in files that hosts do not obey: a misspelt event there is named nowhere else. */
export async function reportFolder(cwd: string, io: Io): Promise<void> {
  const hooks = await loadHooks(cwd);
  try {
    reportBroken(hooks, io);
  } finally {
    await disposeHooks(hooks);
  }
}
