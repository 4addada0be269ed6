/** What files of a host say about whether its hooks run at all. */
import { isOfWorkspace, type LoadedGroup, type LoadedHook } from '../../config/loaded.js';
import { isObject } from './answers.js';
import type { FoundFile } from './files.js';
import type { HookPlace, Host, SwitchedOff } from './host.js';

/** A switch, and the file that it is in. */
export interface Switch extends SwitchedOff, Pick<FoundFile, 'file' | 'layer'> {}

export function switchesIn({ switchedOff }: Host, files: readonly FoundFile[]): readonly Switch[] {
  return files.flatMap(({ file, layer, content }) => {
    const off = content.ok && isObject(content.root.value) ? content.root.value : undefined;
    const found = off === undefined ? undefined : switchedOff?.(off, { file, layer });
    return (found ?? []).map((each) => ({ ...each, file, layer }));
  });
}

/** A hook as a switch may name it. */
export interface Switchable {
  readonly file: string;
  /** Its name, or else its command line. */
  readonly name: string;
  readonly place: HookPlace | undefined;
}

export function isOff({ file, ofFile, names, places }: Switch, hook: Switchable): boolean {
  if (ofFile && hook.file !== file) return false;
  if (names !== undefined) return names.includes(hook.name);
  return places === undefined || (hook.place !== undefined && places.includes(hook.place));
}

/** A file of the user switches off all hooks, one of a workspace only those that come with the workspace. */
export function withSwitches(
  host: Host,
  files: readonly FoundFile[],
  groups: readonly LoadedGroup[],
  places: ReadonlyMap<LoadedHook, HookPlace>,
): readonly LoadedGroup[] {
  const switches = switchesIn(host, files);
  if (switches.length === 0) return groups;
  return groups.map((group) => ({
    ...group,
    hooks: group.hooks.map((hook) => {
      const { file } = hook.source;
      const name = String(hook.written['name'] ?? hook.written['command']);
      const own = switches.filter((each) => isOff(each, { file, name, place: places.get(hook) }));
      return own.reduce(switched, hook);
    }),
  }));
}

function switched(hook: LoadedHook, { key, file, layer }: Switch): LoadedHook {
  if (hook.inactive !== undefined) return hook;
  const message = `switched off by \`${key}\` in ${file}`;
  if (!isOfWorkspace({ layer }))
    return { ...hook, inactive: { reason: 'disabled', message, byChoice: true } };
  return isOfWorkspace(hook.source) ? { ...hook, switchedOff: { message } } : hook;
}
