/** What files of a host say about whether its hooks run at all. */
import { isOfWorkspace, type LoadedGroup, type LoadedHook } from '../../config/loaded.js';
import { isObject } from './answers.js';
import type { FoundFile } from './files.js';
import type { Host, SwitchedOff } from './host.js';

/** A file of the user switches off all hooks, one of a workspace only those that come with the workspace. */
export function withSwitches(
  { switchedOff }: Host,
  files: readonly FoundFile[],
  groups: readonly LoadedGroup[],
): readonly LoadedGroup[] {
  let left = groups;
  for (const { file, layer, content } of files) {
    const off = content.ok && isObject(content.root.value) ? switchedOff?.(content.root.value) : undefined;
    if (off === undefined) continue;
    const byWorkspace = isOfWorkspace({ layer });
    const message = `switched off by \`${off.key}\` in ${file}`;
    left = left.map((group) => ({
      ...group,
      hooks: group.hooks.map((hook): LoadedHook => {
        if (hook.inactive !== undefined || !isNamed(hook, off)) return hook;
        if (off.ofFile && hook.source.file !== file) return hook;
        if (!byWorkspace) return { ...hook, inactive: { reason: 'disabled', message, byChoice: true } };
        return isOfWorkspace(hook.source) ? { ...hook, switchedOff: { message } } : hook;
      }),
    }));
  }
  return left;
}

function isNamed({ written }: LoadedHook, { names }: SwitchedOff): boolean {
  return names === undefined || names.includes(String(written['name'] ?? written['command']));
}
