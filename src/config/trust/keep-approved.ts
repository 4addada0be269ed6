/** Keeps in force what was approved: no file of a workspace takes a guard away while a session lasts. */
import type { ApprovedVersion, Diagnostic, LoadedConfig, LoadedGroup, LoadedHook } from '../loaded.js';

const WHY =
  'This hook stays in force as it was approved, although its file no longer has it so: a file of the workspace takes no hook away while a session lasts. Approve what is to take its place, or begin another session.';

/**
 * What was loaded again, and before it those hooks of the workspace that were in force and are not any more: gone,
 * changed, switched off. One goes when somebody has approved another version of it. Never throws.
 */
export function keepApproved(before: LoadedConfig, after: LoadedConfig): LoadedConfig {
  const old = approvalsOf(before);
  const present = approvalsOf(after);
  const known = new Set(old.map(({ fingerprint }) => fingerprint));
  const same = new Set(present.map(({ fingerprint }) => fingerprint));
  // A hook that was there before is no new version of another one that looks like it.
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
  const told = kept.flatMap(({ hooks }) =>
    hooks.map(({ source }): Diagnostic => ({ severity: 'warning', code: 'kept', message: WHY, source })),
  );
  return {
    ...after,
    // In front, so that a copy of it that says less does not pass for it.
    groups: [...kept, ...quietChanged(before, after.groups)],
    diagnostics: [...after.diagnostics, ...told],
    ...(after.dispose !== undefined && { dispose: () => after.dispose?.() ?? Promise.resolve() }),
  };
}

/** What has changed meanwhile need not refuse: the version of it that was approved is still in force. */
function quietChanged(before: LoadedConfig, after: readonly LoadedGroup[]): LoadedGroup[] {
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

/** It runs, or refuses because it is broken; and somebody has approved it. */
function isInForce({ approval, inactive }: LoadedHook): boolean {
  return approval !== undefined && inactive?.reason !== 'disabled';
}
