/** Says which files with hooks are broken, for every call that would look complete without them. */
import type { Diagnostic } from '../../config/loaded.js';
import type { AnyEvent } from '../../events/types.js';
import { isOfKnownHook, type Missing } from '../hooks/completeness.js';
import { tellInactive } from '../hooks/inactive.js';
import type { LoadedHooks } from '../hooks/load.js';
import { exactPlace } from '../hooks/place.js';
import type { Io } from '../io.js';
import { leavesOut } from './problems.js';

const SHOWN = 5;

/** What is said about files of which no hook counts because something is wrong with them. */
function findBroken(hooks: LoadedHooks): readonly Diagnostic[] {
  const counting = new Set([
    ...hooks.configs.flatMap(({ groups }) => groups.map(({ source }) => source.file)),
    ...hooks.configs.flatMap(({ unimported = [] }) => unimported.map(({ handler }) => handler['module'])),
  ]);
  return hooks.diagnostics.filter(
    (diagnostic) => leavesOut(diagnostic) && !counting.has(diagnostic.source.file),
  );
}

/**
 * Tells on stderr what does not count, with its place, and returns what is wrong with broken files: while there are any,
 * what a call shows is not all there is. `shown`: codes of what the call shows itself.
 */
export function tellBroken(
  hooks: LoadedHooks,
  io: Io,
  shown: ReadonlySet<string> = new Set(),
): readonly Diagnostic[] {
  const broken = findBroken(hooks);
  const others = hooks.diagnostics.filter(
    (diagnostic) =>
      (leavesOut(diagnostic) || diagnostic.code === 'unsupported_event') &&
      !isOfKnownHook(diagnostic) &&
      !shown.has(diagnostic.code) &&
      !broken.includes(diagnostic),
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
export function tellLeftOut(hooks: LoadedHooks, io: Io, event?: AnyEvent): readonly Diagnostic[] {
  // Of the files it would tell only the first line.
  tellInactive({ ...hooks, diagnostics: [] }, io, event);
  return tellBroken(hooks, io);
}

/**
 * Whether what is fired at these hooks would prove nothing, because some of them are not asked; and says so. `refused`:
 * what is not done because of it.
 */
export function provesNothing({ reason }: Missing, io: Io, refused: string): boolean {
  if (reason === undefined) return false;
  const why =
    reason === 'untrusted'
      ? 'without these hooks it would prove nothing. Approve them, or give --trust-workspace to run them for this call.'
      : 'while something that is written down cannot be read it would prove nothing.';
  io.printer.complain(`${refused}: ${why}`);
  return true;
}
