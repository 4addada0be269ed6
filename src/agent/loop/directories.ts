/** Fires DirectoryAdded for the directories that an agent may work in from now on. */
import { resolve } from 'node:path';
import type { PermissionUpdate } from '../../permissions/permissions.js';
import type { Agent } from './agent.js';
import type { Session } from './session.js';

/** Call it after the updates were applied. */
export async function fireDirectoriesAdded(
  session: Session,
  agent: Agent,
  updates: readonly PermissionUpdate[],
  source: string,
  signal?: AbortSignal,
): Promise<void> {
  const added = updates.flatMap((update) => (update.type === 'addDirectories' ? update.directories : []));
  for (const directory of new Set(added.map((path) => resolve(agent.cwd, path))))
    await session.hooks.fire('DirectoryAdded', agent, { directory, source }, { signal });
}
