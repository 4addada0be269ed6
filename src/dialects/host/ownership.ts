/** Which approvals are of hooks that the files of a host would bring. */
import { basename, dirname, resolve } from 'node:path';
import { type Ownership, textField } from '../../config/trust/missing.js';
import type { ApprovedHook } from '../../config/trust/store-types.js';
import { isEvent } from '../../events/registry.js';
import { dialectOf } from './dialect.js';
import { hostPlaces } from './files.js';
import type { Host, Spelling } from './host.js';

export function hostOwnership(host: Host, workspace: string, home: string | undefined): Ownership {
  const places = hostPlaces(host, workspace, home).filter(({ place }) => place.layer === 'project');
  const spellingOf = (hook: ApprovedHook): Spelling | undefined =>
    host.spellings.find(({ id }) => id === textField(hook, 'group.dialect'));
  return {
    owns: (hook) =>
      spellingOf(hook) !== undefined &&
      hook.source !== undefined &&
      places.some(({ file }) => isOf(resolve(workspace, hook.source ?? ''), file)),
    dialectOf: (hook) => {
      const spelling = spellingOf(hook);
      if (spelling === undefined || !isEvent(hook.event)) return undefined;
      const matching = spelling.events[hook.event]?.matches === 'text' ? 'text' : 'pattern';
      return dialectOf(host, spelling, matching);
    },
    flags: ` --hooks-of ${host.name}`,
  };
}

/** The name in a pattern may have one `*`, and its folder may be `*`. */
function isOf(file: string, pattern: string): boolean {
  const [folder, wanted] = [dirname(file), dirname(pattern)];
  if (folder !== wanted && (basename(wanted) !== '*' || dirname(folder) !== dirname(wanted))) return false;
  const [start = '', end] = basename(pattern).split('*');
  const name = basename(file);
  return end === undefined ? name === start : name.startsWith(start) && name.endsWith(end);
}
