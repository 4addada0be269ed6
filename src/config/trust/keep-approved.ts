/** Keeps hooks in force: no file can remove a guard during a session. */
import { canInterfere } from '../../events/registry.js';
import {
  type ApprovedVersion,
  type Diagnostic,
  isOfWorkspace,
  type LoadedConfig,
  type LoadedGroup,
  type LoadedHook,
} from '../loaded.js';

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
  // One with another version waits for the approval of that: in between nothing would be in force.
  const waiting = new Set(after.groups.flatMap(({ event, hooks }) => (hooks.some(isChanged) ? event : [])));
  const kept = before.groups.flatMap((group): LoadedGroup[] => {
    const hooks = group.hooks.filter((hook) => isInForce(hook) && !isCovered(hook));
    const isGone = !waiting.has(group.event);
    const held = hooks.map(({ kept: _, ...hook }) => (isGone ? { ...hook, kept: true as const } : hook));
    return hooks.length === 0 ? [] : [{ ...group, hooks: held }];
  });
  if (kept.length === 0) return after;
  // What stays in force itself needs nothing that refuses in its place.
  const inForce = new Set(
    kept.flatMap(({ hooks }) => hooks.flatMap(({ approval }) => approval?.fingerprint ?? [])),
  );
  const isKept = ({ removed }: LoadedHook): boolean =>
    removed !== undefined && inForce.has(removed.fingerprint);
  const others = after.groups.filter(({ hooks }) => !hooks.some(isKept));
  const dropped = new Set(
    after.groups.flatMap(({ hooks }) => hooks.filter(isKept).map(({ inactive }) => inactive?.message)),
  );
  const diagnostics = after.diagnostics.filter(({ message }) => !dropped.has(message));
  return withKept({ ...after, diagnostics }, kept, withoutRefusals(before, others), WHY);
}

const WHY_GUARD =
  'This hook stays in force as it was until the session ends, although its file has changed: a session does not lose what can refuse or rewrite.';

/**
 * The reloaded configuration, preceded by hooks of its user that were in force, can refuse or rewrite, and have been
 * removed or changed. A hook that is written as before stays the one that was loaded then: what surrounds it, such as `env` of its
 * settings, can switch off a guard too. Never throws.
 */
export function keepGuards(before: LoadedConfig, after: LoadedConfig): LoadedConfig {
  const earlier = new Map(
    before.groups.flatMap((group) =>
      group.hooks.filter(runs).map((hook) => [asWritten(group)(hook), hook] as const),
    ),
  );
  const present = new Set(after.groups.flatMap((group) => group.hooks.filter(runs).map(asWritten(group))));
  const kept = before.groups.flatMap((group): LoadedGroup[] => {
    if (!canInterfere(group.event)) return [];
    const isLost = (hook: LoadedHook): boolean =>
      runs(hook) && !isOfWorkspace(hook.source) && !present.has(asWritten(group)(hook));
    const hooks = group.hooks.filter(isLost);
    return hooks.length === 0 ? [] : [{ ...group, hooks }];
  });
  const groups = after.groups.map((group) => ({
    ...group,
    hooks: group.hooks.map((hook): LoadedHook => {
      const known = runs(hook) ? earlier.get(asWritten(group)(hook)) : undefined;
      return known === undefined ? hook : { ...known, source: hook.source };
    }),
  }));
  return withKept(after, kept, groups, WHY_GUARD);
}

function runs({ inactive }: LoadedHook): boolean {
  return inactive === undefined;
}

/** Equal only if nothing that the file says about a hook and its group has changed, nor what was approved. */
function asWritten({ event, options }: LoadedGroup): (hook: LoadedHook) => string {
  return ({ key, description, written, approval }) =>
    JSON.stringify([event, options, key ?? description, written, approval ?? null]);
}

/** In front, so that a weaker copy does not replace them. */
function withKept(
  after: LoadedConfig,
  kept: readonly LoadedGroup[],
  groups: readonly LoadedGroup[],
  message: string,
): LoadedConfig {
  const warnings = kept.flatMap(({ hooks }) =>
    hooks.map(({ source }): Diagnostic => ({ severity: 'warning', code: 'kept', message, source })),
  );
  return {
    ...after,
    groups: [...kept, ...groups],
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
