/** Approves the hooks of guards that were added, and no others. */
import type { LoadedConfig } from '../../config/loaded.js';
import { createTrustStore } from '../../config/trust/trust-store.js';
import { trustSubjects } from '../../config/trust/trust-subjects.js';
import { disposeHooks, loadHooks } from '../hooks/load.js';

/** `commands`: the hooks of this file that run one of these commands. */
export async function approveOwn(cwd: string, file: string, commands?: readonly string[]): Promise<void> {
  const hooks = await loadHooks(cwd);
  try {
    for (const config of hooks.configs) {
      const groups = config.groups.flatMap((group) => {
        const own = group.hooks.filter(
          ({ written }) => commands === undefined || commands.includes(String(written['command'])),
        );
        return group.source.file === file && own.length > 0 ? [{ ...group, hooks: own }] : [];
      });
      const own: LoadedConfig = { ...config, groups, unimported: [] };
      const subjects = trustSubjects(own);
      if (subjects.length > 0) await createTrustStore().approve(cwd, subjects);
    }
  } finally {
    await disposeHooks(hooks);
  }
}
