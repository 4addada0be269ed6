/** What the hooks of a folder are worth to the hosts that call the bridge there: whether there are any, and approved. */
import { isOfWorkspace, isRemoved } from '../../config/loaded.js';
import { approvedFolders } from '../../config/trust/approved.js';
import { bridgeSources } from '../../dialects/sources.js';
import { missingHooks } from '../hooks/completeness.js';
import { approveLine, removedText } from '../hooks/inactive.js';
import { disposeHooks, loadHooks } from '../hooks/load.js';
import { exactPlace } from '../hooks/place.js';
import type { Io } from '../io.js';
import { withHooks } from './call-folders.js';

export interface FolderStatus {
  /** The folder that has the hooks; null: there is no file with hooks, from here to the root of the repository. */
  readonly folder: string | null;
  /** Hooks of the folder, and of the user. */
  readonly hooks: number;
  readonly userHooks: number;
  readonly state: 'approved' | 'unapproved' | 'removed' | 'broken' | 'none';
  /** What follows from it, and what to do. */
  readonly message: string;
}

export async function folderStatus(cwd: string, claude: boolean, io: Pick<Io, 'cwd'>): Promise<FolderStatus> {
  const folder = withHooks({ claude }, cwd, await approvedFolders()) ?? null;
  const hooks = await loadHooks(folder ?? cwd, {}, {}, bridgeSources(claude));
  try {
    const all = hooks.entries.filter(({ hook }) => hook.inactive?.reason !== 'disabled' && !isRemoved(hook));
    const own = all.filter(({ hook }) => isOfWorkspace(hook.source)).length;
    const base = { folder, hooks: own, userHooks: all.length - own };
    const missing = missingHooks(hooks);
    if (missing.reason === 'untrusted') {
      const message = `Hooks of ${hooks.cwd} are not approved, so tools are refused. Look at them, then: ${approveLine(hooks.cwd, io)}`;
      return { ...base, state: 'unapproved', message };
    }
    if (missing.reason === 'broken') {
      const [first] = missing.diagnostics;
      const what = first === undefined ? '' : ` ${exactPlace(first.source, cwd)}: ${first.message}`;
      const message = `Hooks of ${hooks.cwd} cannot run, so tools are refused.${what} hookline check shows what to do.`;
      return { ...base, state: 'broken', message };
    }
    const gone = removedText(hooks, io);
    if (gone !== undefined) return { ...base, state: 'removed', message: gone };
    if (own > 0)
      return { ...base, state: 'approved', message: `The hooks of ${hooks.cwd} are approved: ${own}.` };
    const users = base.userHooks === 0 ? 'Nothing is refused' : "Only the user's own hooks apply";
    return { ...base, state: 'none', message: `${cwd} has no hooks of its own. ${users} here.` };
  } finally {
    await disposeHooks(hooks);
  }
}
