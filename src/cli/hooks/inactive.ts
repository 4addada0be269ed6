/** Reports which hooks a command leaves out, and what to do about it: approve them, or repair them. */

import { shellWord } from '../../base/text/shell-word.js';
import type { LoadedHook } from '../../config/loaded.js';
import { canPrevent } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { Io } from '../io.js';
import { type HookEntry, type LoadedHooks, removed, untrusted } from './load.js';
import { oneLine, shortPath, shortPlace } from './place.js';

const SHOWN = 10;

/** `hookline trust approve`, for the folder and the hosts of this call. */
export function approveLine(
  cwd: string,
  { cwd: here }: Pick<Io, 'cwd'>,
  hosts: readonly string[] = [],
): string {
  const folder = cwd === here ? '' : ` --cwd ${shellWord(cwd)}`;
  return `npx hookline trust approve${hosts.map((host) => ` --hooks-of ${host}`).join('')}${folder}`;
}

/** Printed beside the result, because the reader must know what is missing in it. */
export function reportInactive(hooks: LoadedHooks, io: Io, event?: AnyEvent): void {
  reportUntrusted(hooks, io);
  for (const { hook } of inactiveHooks(hooks, event)) {
    const { reason, message } = hook.inactive;
    if (reason === 'untrusted' || reason === 'modified' || reason === 'removed') continue;
    const place = shortPlace(hook.source, hooks.cwd);
    io.printer.note(`${place}: not run, ${reason}: ${oneLine(hook.description)}: ${message}`);
  }
  const [first, ...more] = hooks.diagnostics.filter(({ severity }) => severity === 'error');
  if (first === undefined) return;
  const others = more.length === 0 ? '' : ` And ${more.length} more:`;
  const place = shortPlace(first.source, hooks.cwd);
  io.printer.note(`${place}: ${first.message}${others} hookline check shows what to do.`);
}

type InactiveEntry = HookEntry & {
  readonly hook: { readonly inactive: NonNullable<LoadedHook['inactive']> };
};

/** The hooks of an event, or of all, that are defined and do not run. */
export function inactiveHooks({ entries }: LoadedHooks, event?: AnyEvent): InactiveEntry[] {
  return entries.filter(
    (entry): entry is InactiveEntry =>
      entry.hook.inactive !== undefined && (event === undefined || entry.group.event === event),
  );
}

export function reportUntrusted(hooks: LoadedHooks, io: Io): void {
  for (const text of [untrustedText(hooks, io), removedText(hooks, io)])
    if (text !== undefined) io.printer.note(text);
}

/** Which approved hooks are gone, what follows from it, and how to decide; undefined if none is. */
export function removedText(hooks: LoadedHooks, io: Pick<Io, 'cwd'>): string | undefined {
  const lines = removed(hooks).map(({ hook, group }) => {
    const matcher = group.options.matcher === undefined ? '' : ` ${oneLine(group.options.matcher)}`;
    const file = shortPath(hook.source.file, hooks.cwd);
    return `${file}  ${group.event}${matcher}  ${oneLine(hook.description)}`;
  });
  if (lines.length === 0) return undefined;
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [];
  const [they, them] = lines.length === 1 ? ['it is', 'it'] : ['they are', 'them'];
  return [
    `Approved, and no longer there as approved, so what ${lines.length === 1 ? 'it' : 'they'} would have judged is refused:`,
    ...[...lines.slice(0, SHOWN), ...more].map((line) => `  ${line}`),
    `Restore ${them}, or accept that ${they} gone: ${approveLine(hooks.cwd, io, hooks.hosts)}`,
  ].join('\n');
}

/** Which hooks wait for approval, and how to give it; undefined if none does. */
export function untrustedText(hooks: LoadedHooks, io: Pick<Io, 'cwd'>): string | undefined {
  const waiting = untrusted(hooks);
  const modules = hooks.configs.flatMap(({ unimported = [] }) => unimported);
  const lines = [
    ...waiting.map(({ hook, group }) => {
      const so = canPrevent(group.event) ? ', so it refuses' : '';
      const changed = hook.inactive?.reason === 'modified' ? ` (changed since it was approved${so})` : '';
      return `${shortPlace(hook.source, hooks.cwd)}  ${group.event}  ${oneLine(hook.description)}${changed}`;
    }),
    ...modules.map(({ handler }) => `${String(handler['module'])}  (a module, not imported)`),
  ];
  if (lines.length === 0) return undefined;
  const more = lines.length > SHOWN ? [`and ${lines.length - SHOWN} more`] : [];
  const them = lines.length === 1 ? 'it' : 'them';
  const changed = waiting.some(({ hook }) => hook.inactive?.reason === 'modified');
  const they = lines.length === 1 ? 'it is' : 'they are';
  const asNow = changed ? ` as ${they} now` : '';
  return [
    `Not run, because ${they} not approved${asNow}:`,
    ...[...lines.slice(0, SHOWN), ...more].map((line) => `  ${line}`),
    `Look at ${them}, then: ${approveLine(hooks.cwd, io, hooks.hosts)}  (or --trust-workspace for one call)`,
  ].join('\n');
}
