/** Describes what "always" approves, because a person must see what they approve. */
import type { PermissionUpdate } from '../permissions/types.js';

/** Returns an empty string if there are no updates: then there is nothing to approve. */
export function describeUpdates(updates: readonly PermissionUpdate[]): string {
  return updates.map(describe).join('; ');
}

function describe(update: PermissionUpdate): string {
  switch (update.type) {
    case 'setMode':
      return `permission mode ${update.mode}`;
    case 'addDirectories':
      return `work in ${update.directories.join(', ')}`;
    case 'removeDirectories':
      return `no longer work in ${update.directories.join(', ')}`;
    default: {
      const rules = update.rules.map(({ toolName, ruleContent }) =>
        ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
      );
      const words = { addRules: '', replaceRules: 'only ', removeRules: 'no longer ' };
      return `${words[update.type]}${update.behavior} ${rules.join(', ')}`;
    }
  }
}
