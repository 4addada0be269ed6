/** Keeps approved hooks in force: no workspace file can remove a guard during a session. */
import type { ApprovedVersion, Diagnostic, LoadedConfig, LoadedGroup, LoadedHook } from '../loaded.js';

const WHY =
  'This hook stays in force as it was approved, although its file has changed: a file of the workspace cannot remove a hook during a session. Approve its replacement, or start a new session.';

/**
 * The reloaded configuration, preceded by the workspace hooks that were in force and no longer are: removed, changed or
 * disabled. A hook is replaced only when another version of it is approved. Never throws.
 */
export function keepApproved(before: LoadedConfig, after: LoadedConfig): LoadedConfig {
  const old = approvalsOf(before);
  const present = approvalsOf(after);
  const known = new Set(old.map(({ fingerprint }) => fingerprint));
  const same = new Set(present.map(({ fingerprint }) => fingerprint));
  // A hook that existed before is not a new version of a similar one.
  const fresh = present.filter(({ fingerprint }) => !known.has(fingerprint));
  const newer = new Set(fresh.flatMap(({ identity }) => identity ?? []));
  const isCovered = ({ approval }: LoadedHook): boolean =>
    approval !== undefined &&
    (same.has(approval.fingerprint) || (approval.identity !== undefined && newer.has(approval.identity)));
  const kept = before.groups.flatMap((group): LoadedGroup[] => {
    const hooks = group.hooks.filter((hook) => isInForce(hook) && !isCovered(hook));
    return hooks.length === 0 ? [] : [{ ...group, hooks }];
  });
  if (kept.length === 0) return after;
  const warnings = kept.flatMap(({ hooks }) =>
    hooks.map(({ source }): Diagnostic => ({ severity: 'warning', code: 'kept', message: WHY, source })),
  );
  return {
    ...after,
    // In front, so that a weaker copy does not replace it.
    groups: [...kept, ...withoutRefusals(before, after.groups)],
    diagnostics: [...after.diagnostics, ...warnings],
    ...(after.dispose !== undefined && { dispose: () => after.dispose?.() ?? Promise.resolve() }),
  };
}

/** A hook that has changed since need not refuse: its approved version is still in force. */
function withoutRefusals(before: LoadedConfig, after: readonly LoadedGroup[]): LoadedGroup[] {
  const refused = new Set(before.groups.flatMap((group) => group.hooks.filter(isChanged).map(nameIn(group))));
  return after.map((group) => ({
    ...group,
    hooks: group.hooks.map((hook): LoadedHook => {
      if (!isChanged(hook) || refused.has(nameIn(group)(hook))) return hook;
      return { ...hook, inactive: { ...hook.inactive, reason: 'untrusted' } };
    }),
  }));
}

type ChangedHook = LoadedHook & { readonly inactive: NonNullable<LoadedHook['inactive']> };

function isChanged(hook: LoadedHook): hook is ChangedHook {
  return hook.inactive?.reason === 'modified';
}

function nameIn({ event, options }: LoadedGroup): (hook: LoadedHook) => string {
  return ({ description }) => JSON.stringify([event, options.matcher, description]);
}

function approvalsOf({ groups }: LoadedConfig): ApprovedVersion[] {
  return groups.flatMap(({ hooks }) => hooks.filter(isInForce).flatMap(({ approval }) => approval ?? []));
}

/** Approved, and either runs or refuses because it is broken. */
function isInForce({ approval, inactive }: LoadedHook): boolean {
  return approval !== undefined && inactive?.reason !== 'disabled';
}
