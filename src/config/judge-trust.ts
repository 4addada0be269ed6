/** Decides which hooks of a workspace may run. Nothing that a repository brings runs before somebody has agreed. */
import type { Diagnostic, LoadedConfig, LoadedGroup, LoadedHook } from './loaded.js';
import { createTrustStore, type TrustStatus, type TrustStore, type TrustSubject } from './trust/index.js';

/** Whoever knows what was agreed to: a trust store, or 'workspace' when the caller has asked for the whole of it. */
export type Trust = Pick<TrustStore, 'review'> | 'workspace';

const WHY: Readonly<Record<Exclude<TrustStatus, 'trusted'>, string>> = {
  untrusted: 'it comes with the workspace and nobody has agreed to it yet; look at it and approve it',
  modified: 'it or its script has changed since it was agreed to; look at it and approve it again',
};

export async function judgeTrust(
  groups: readonly LoadedGroup[],
  workspace: string,
  trust: Trust = createTrustStore(),
  diagnostics: Diagnostic[],
): Promise<LoadedGroup[]> {
  const subjects = trustSubjects({ groups, workspace });
  if (trust === 'workspace' || subjects.length === 0) return [...groups];
  const { statuses, problems } = await trust.review(workspace, subjects);
  const source = groups.find(ofWorkspace)?.source;
  for (const { code, message } of problems) {
    if (source !== undefined) diagnostics.push({ severity: 'error', code, message, source });
  }
  let next = 0;
  return groups.map((group) => {
    if (!ofWorkspace(group)) return group;
    return { ...group, hooks: group.hooks.map((hook) => judged(hook, statuses[next++], diagnostics)) };
  });
}

/** The hooks of a configuration that need somebody's agreement, as a trust store wants them. */
export function trustSubjects({
  groups,
  workspace = '',
}: Pick<LoadedConfig, 'groups' | 'workspace'>): TrustSubject[] {
  return groups
    .filter(ofWorkspace)
    .flatMap(({ event, options: { matcher }, hooks }) =>
      hooks.map(({ written = {}, files }) => ({ event, matcher, handler: written, workspace, files })),
    );
}

function ofWorkspace({ source: { layer } }: LoadedGroup): boolean {
  return layer === 'project' || layer === 'local';
}

function judged(hook: LoadedHook, status: TrustStatus = 'untrusted', diagnostics: Diagnostic[]): LoadedHook {
  if (status === 'trusted') return hook;
  const message = WHY[status];
  const told = `This hook does not run: ${message}.`;
  diagnostics.push({ severity: 'warning', code: status, message: told, source: hook.source });
  return { ...hook, inactive: { reason: status, message } };
}
