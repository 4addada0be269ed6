/** Whether a fire runs every hook that is defined: if not, its result proves nothing. */
import type { Diagnostic } from '../../config/loaded.js';
import { canPrevent } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { MissingReason } from '../../testing/verdict.js';
import { type HookEntry, type LoadedHooks, removed, untrusted } from './load.js';

export interface Missing {
  /** Why not every hook runs; undefined: all do. */
  readonly reason?: MissingReason;
  /** The hooks that do not run. */
  readonly hooks: readonly HookEntry[];
  /** The problems of files whose hooks are unknown because of them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Problems of hooks that are known, each with the reason why it does not run. */
const OF_KNOWN_HOOKS: ReadonlySet<string> = new Set([
  ...['untrusted', 'modified', 'removed', 'disabled', 'inactive', 'bad_hook', 'unknown_type', 'bad_matcher'],
]);

/** Whether the hook it is about is listed. */
export function isOfKnownHook({ code }: Diagnostic): boolean {
  return OF_KNOWN_HOOKS.has(code);
}

/**
 * Without an event: of all events. With one: its hooks, and guards of every event, because a folder whose guards do not
 * run is not protected, whatever is fired. Hooks that are switched off, or need a service that this command lacks, are
 * not counted.
 */
export function missingHooks(hooks: LoadedHooks, event?: AnyEvent): Missing {
  const concerned = ({ group }: HookEntry): boolean =>
    event === undefined || group.event === event || canPrevent(group.event);
  const waiting = untrusted(hooks).filter(concerned);
  const broken = hooks.entries.filter((entry) => concerned(entry) && isBroken(entry));
  // A diagnostic that says whether protection is lost is about something that may have been a guard.
  const diagnostics = hooks.diagnostics.filter(
    (diagnostic) => diagnostic.failsOpen !== undefined && !isOfKnownHook(diagnostic),
  );
  const modules = hooks.configs.some(({ unimported = [] }) => unimported.length > 0);
  const reason =
    waiting.length > 0 || modules
      ? ('untrusted' as const)
      : broken.length + diagnostics.length > 0
        ? ('broken' as const)
        : undefined;
  return { ...(reason !== undefined && { reason }), hooks: [...waiting, ...broken], diagnostics };
}

/** What is refused in the place of a hook that is gone proves nothing about the hooks that are there. */
export function withRemoved(missing: Missing, hooks: LoadedHooks): Missing {
  const gone = removed(hooks);
  if (gone.length === 0) return missing;
  return { ...missing, reason: missing.reason ?? 'untrusted', hooks: [...missing.hooks, ...gone] };
}

const isBroken = ({ hook }: HookEntry): boolean => hook.inactive?.reason === 'broken';

/** For programs: which hooks did not run, and why. */
export function missingJson({ hooks, diagnostics }: Missing): Readonly<Record<string, unknown>> {
  return {
    inactive: hooks.map(({ hook }) => ({
      ...hook.inactive,
      description: hook.description,
      source: hook.source,
    })),
    broken: diagnostics.map(({ code, message, source }) => ({ code, message, source })),
  };
}
