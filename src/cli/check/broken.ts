/** Reports which hook files are broken, for every command whose result would otherwise look complete. */
import { type Diagnostic, withoutStandIns } from '../../config/loaded.js';
import type { AnyEvent } from '../../events/types.js';
import { isOfKnownHook, type Missing } from '../hooks/completeness.js';
import { reportInactive } from '../hooks/inactive.js';
import type { LoadedHooks } from '../hooks/load.js';
import { exactPlace } from '../hooks/place.js';
import type { Io } from '../io.js';
import { leavesOut } from './problems.js';

const SHOWN = 5;
/** Warnings about hooks that do not run here. */
const ALSO_NAMED: ReadonlySet<string> = new Set([
  'unsupported_event',
  'plugin_not_installed',
  'hooks_of_part',
]);

/** The diagnostics of files in which no hook counts because something is wrong with them. */
function findBroken(hooks: LoadedHooks): readonly Diagnostic[] {
  const counting = new Set([
    ...hooks.configs.flatMap(({ groups }) => withoutStandIns(groups).map(({ source }) => source.file)),
    ...hooks.configs.flatMap(({ unimported = [] }) => unimported.map(({ handler }) => handler['module'])),
  ]);
  return hooks.diagnostics.filter(
    (diagnostic) =>
      leavesOut(diagnostic) && diagnostic.code !== 'removed' && !counting.has(diagnostic.source.file),
  );
}

/**
 * Prints on stderr what does not count, with its position, and returns the diagnostics of broken files: while there
 * are any, the result of a command is incomplete. `shown`: codes that the command shows itself.
 */
export function reportBroken(
  hooks: LoadedHooks,
  io: Io,
  shown: ReadonlySet<string> = new Set(),
): readonly Diagnostic[] {
  const broken = findBroken(hooks);
  const others = hooks.diagnostics.filter(
    (diagnostic) =>
      (leavesOut(diagnostic) || ALSO_NAMED.has(diagnostic.code)) &&
      !isOfKnownHook(diagnostic) &&
      !shown.has(diagnostic.code) &&
      !broken.includes(diagnostic),
  );
  const all = oncePerCause([...broken, ...others]);
  const lines = all
    .slice(0, SHOWN)
    .map(([{ source, message }, ...more]) =>
      [`${exactPlace(source, hooks.cwd)}: ${message}`, ...alsoAt(more, hooks.cwd)].join(' '),
    );
  const more = all.length > SHOWN ? [`and ${all.length - SHOWN} more.`] : [];
  const text = [...lines, ...more, 'hookline check shows what to do.'];
  if (all.length > 0) io.printer.note(text.join(all.length === 1 ? ' ' : '\n  '));
  return broken;
}

type Cause = readonly [Diagnostic, ...Diagnostic[]];

/** One package that is missing keeps many scripts from starting. Anything else is said at each place. */
function oncePerCause(diagnostics: readonly Diagnostic[]): readonly Cause[] {
  const causes: [Diagnostic, ...Diagnostic[]][] = [];
  for (const diagnostic of diagnostics) {
    const { code, cause } = diagnostic;
    const same =
      cause === undefined
        ? undefined
        : causes.find(([first]) => first.code === code && first.cause === cause);
    if (same === undefined) causes.push([diagnostic]);
    else same.push(diagnostic);
  }
  return causes;
}

const alsoAt = (others: readonly Diagnostic[], cwd: string): string[] =>
  others.length === 0 ? [] : [`(also at ${others.map(({ source }) => exactPlace(source, cwd)).join(', ')})`];

/** Printed beside the result of a fire: all hooks and files that it leaves out. */
export function reportIncomplete(hooks: LoadedHooks, io: Io, event?: AnyEvent): readonly Diagnostic[] {
  // This would print only the first line of each file.
  reportInactive({ ...hooks, diagnostics: [] }, io, event);
  return reportBroken(hooks, io);
}

/**
 * Prints that a fire at these hooks would prove nothing, if some of them do not run; returns whether that is so.
 * `refused`: what the command does not do because of it.
 */
export function isInconclusive({ reason }: Missing, io: Io, refused: string): boolean {
  if (reason === undefined) return false;
  const why =
    reason === 'untrusted'
      ? 'without these hooks it would prove nothing. Approve them, or give --trust-workspace to run them for this call.'
      : 'while a hook file cannot be read it would prove nothing.';
  io.printer.note(`${refused}: ${why}`);
  return true;
}
