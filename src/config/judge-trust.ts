/** Decides which hooks of a workspace may run. Nothing that a repository brings runs before somebody has agreed. */
import type { Diagnostic, InactiveReason, LoadedGroup, LoadedHook } from './loaded.js';
import type { TrustSubject } from './trust/subject.js';

/** Whoever knows what was agreed to. A trust store is one. */
export interface TrustJudge {
  status(
    workspace: string,
    subjects: readonly TrustSubject[],
  ): Promise<readonly ('trusted' | 'untrusted' | 'modified')[]>;
}

const MESSAGES: Readonly<Record<'untrusted' | 'modified', string>> = {
  untrusted: 'it comes with the workspace and nobody has agreed to it yet; look at it and approve it',
  modified: 'it or its script has changed since it was agreed to; look at it and approve it again',
};

export async function judgeTrust(
  groups: readonly LoadedGroup[],
  workspace: string,
  trust: TrustJudge | 'workspace' | undefined,
  diagnostics: Diagnostic[],
): Promise<LoadedGroup[]> {
  if (trust === 'workspace') return [...groups];
  return Promise.all(
    groups.map(async (group) => {
      if (group.source.layer !== 'project' && group.source.layer !== 'local') return group;
      const subjects = group.hooks.map((hook) => subjectOf(group, hook, workspace));
      const statuses = (await trust?.status(workspace, subjects)) ?? subjects.map(() => 'untrusted' as const);
      const hooks = group.hooks.map((hook, i) => judged(hook, statuses[i] ?? 'untrusted', diagnostics));
      return { ...group, hooks };
    }),
  );
}

function judged(
  hook: LoadedHook,
  status: 'trusted' | 'untrusted' | 'modified',
  diagnostics: Diagnostic[],
): LoadedHook {
  if (status === 'trusted') return hook;
  const reason: InactiveReason = status;
  const message = MESSAGES[status];
  diagnostics.push({
    severity: 'warning',
    code: status,
    message: `This hook does not run: ${message}.`,
    source: hook.source,
  });
  return { ...hook, inactive: { reason, message } };
}

function subjectOf(group: LoadedGroup, { written = {} }: LoadedHook, workspace: string): TrustSubject {
  return { event: group.event, matcher: group.options.matcher, handler: written, workspace };
}
