/** Says which files with hooks are broken, for every call that would look complete without them. */
import type { Diagnostic } from '../../config/loaded.js';
import type { HookEvent } from '../../events/types.js';
import { tellInactive } from '../hooks/inactive.js';
import { type LoadedHooks, untrusted } from '../hooks/load.js';
import { exactPlace } from '../hooks/place.js';
import type { Io } from '../io.js';
import { leavesOut } from './problems.js';
import { topProblems } from './settings.js';
import { readSettingsTrees } from './settings-files.js';

const SHOWN = 5;

/** What is said about files of which no hook counts because something is wrong with them. */
export async function findBroken(hooks: LoadedHooks): Promise<readonly Diagnostic[]> {
  const { roots } = await readSettingsTrees(hooks);
  const counting = new Set([
    ...hooks.configs.flatMap(({ groups }) => groups.map(({ source }) => source.file)),
    ...hooks.configs.flatMap(({ unimported = [] }) => unimported.map(({ handler }) => handler['module'])),
  ]);
  return [...hooks.diagnostics, ...roots.flatMap(topProblems)].filter(
    (diagnostic) => leavesOut(diagnostic) && !counting.has(diagnostic.source.file),
  );
}

/** Problems of hooks that are listed all the same, with the reason why they do not run. */
const LISTED: ReadonlySet<string> = new Set([
  ...['untrusted', 'modified', 'disabled', 'inactive', 'bad_hook', 'unknown_type', 'bad_matcher'],
]);

/**
 * Tells on stderr what does not count, with its place, and returns what is wrong with broken files: while there are any,
 * what a call shows is not all there is.
 */
export async function tellBroken(hooks: LoadedHooks, io: Io): Promise<readonly Diagnostic[]> {
  const broken = await findBroken(hooks);
  const others = hooks.diagnostics.filter(
    (diagnostic) => leavesOut(diagnostic) && !LISTED.has(diagnostic.code) && !broken.includes(diagnostic),
  );
  const all = [...broken, ...others];
  const lines = all
    .slice(0, SHOWN)
    .map(({ source, message }) => `${exactPlace(source, hooks.cwd)}: ${message}`);
  const more = all.length > SHOWN ? [`and ${all.length - SHOWN} more.`] : [];
  const text = [...lines, ...more, 'hookline check shows what to do.'];
  if (all.length > 0) io.printer.complain(text.join(all.length === 1 ? ' ' : '\n  '));
  return broken;
}

/** Beside the result of a fire: everything that is left out of it, hooks and whole files. */
export function tellLeftOut(hooks: LoadedHooks, io: Io, event?: HookEvent): Promise<readonly Diagnostic[]> {
  // Of the files it would tell only the first line.
  tellInactive({ ...hooks, diagnostics: [] }, io, event);
  return tellBroken(hooks, io);
}

/**
 * Whether what is fired at these hooks would prove nothing, because some of them are not asked; and says so. `refused`:
 * what is not done because of it.
 */
export function provesNothing(
  hooks: LoadedHooks,
  broken: readonly Diagnostic[],
  io: Io,
  refused: string,
): boolean {
  const waiting = untrusted(hooks).length > 0 || hooks.configs.some(({ unimported }) => unimported?.length);
  if (!waiting && broken.length === 0) return false;
  const without = waiting ? 'without these hooks' : 'while a file with hooks is broken';
  io.printer.complain(`${refused}: ${without} it would prove nothing.`);
  return true;
}
