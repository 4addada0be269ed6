/** Fires ConfigChange when settings have changed during a session. */
import type { Layer } from '../../config/loaded.js';
import { emitMessage, type Session } from './session.js';

/** A settings file that has changed. */
export interface ChangedSettings {
  readonly file: string;
  /** Whose settings they are; `skills` are agents, skills and commands. Absent: no hook is asked. */
  readonly layer?: Layer | 'skills' | undefined;
}

const SOURCES: Readonly<Record<Layer | 'skills', string>> = {
  managed: 'policy_settings',
  user: 'user_settings',
  project: 'project_settings',
  local: 'local_settings',
  file: 'flag_settings',
  plugin: 'plugin',
  skills: 'skills',
};

/** Whether the changes may take effect. What the administrator changes always does. Rejects as `HookRunner.fire` does. */
export async function fireConfigChanges(
  session: Session,
  changes: readonly ChangedSettings[],
): Promise<boolean> {
  let isAllowed = true;
  for (const { file, layer } of changes) {
    if (layer === undefined) continue;
    const own = { source: SOURCES[layer], file_path: file };
    const outcome = await session.hooks.fire('ConfigChange', session.main, own);
    if (outcome.decision !== 'deny' || layer === 'managed') continue;
    isAllowed = false;
    const why = outcome.reason === undefined ? '' : `: ${outcome.reason}`;
    const content = `A ConfigChange hook keeps the change of ${file} from taking effect${why}`;
    emitMessage(session, { type: 'system', subtype: 'informational', content, level: 'warning' });
  }
  return isAllowed;
}
