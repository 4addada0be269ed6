/** Decides which hooks of a workspace may run. Nothing that a repository brings runs before somebody has agreed. */
import {
  type Diagnostic,
  isOfWorkspace,
  type LoadedConfig,
  type LoadedGroup,
  type LoadedHook,
} from './loaded.js';
import {
  createTrustStore,
  fingerprint,
  type TrustStatus,
  type TrustStore,
  type TrustSubject,
} from './trust/index.js';

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
  const { statuses, fingerprints, problems } = await trust.review(workspace, subjects);
  const source = groups.find(ofWorkspace)?.source;
  for (const { code, message } of problems) {
    if (source !== undefined) diagnostics.push({ severity: 'error', code, message, source });
  }
  let next = 0;
  return groups.map((group) => {
    if (!ofWorkspace(group)) return group;
    const hooks = group.hooks.map((hook) => {
      const i = next++;
      return judged(hook, statuses[i], stillThe(subjects[i], fingerprints[i]), diagnostics);
    });
    return { ...group, hooks };
  });
}

/** The hooks of a configuration that need somebody's agreement, as a trust store wants them. Never throws. */
export function trustSubjects({
  groups,
  workspace = '',
  unimported = [],
}: Pick<LoadedConfig, 'groups' | 'workspace' | 'unimported'>): TrustSubject[] {
  const written = groups.filter(ofWorkspace).flatMap(({ event, options, hooks }) => {
    const { matcher, timeout, sequential, parallel, protected: kept } = options;
    const dialect = typeof options.dialect === 'string' ? options.dialect : options.dialect?.name;
    // What a hook inherits from its group decides what it does as much as what it says itself.
    const group = { timeout, sequential, parallel, dialect, protected: kept };
    return hooks.map((hook) => ({
      event,
      matcher,
      handler: { group, ...hook.written },
      workspace,
      files: hook.files,
    }));
  });
  return [...written, ...unimported];
}

function ofWorkspace({ source }: LoadedGroup): boolean {
  return isOfWorkspace(source);
}

/** Asks whether a hook and its scripts are still what was agreed to. */
function stillThe(subject: TrustSubject | undefined, agreed: string | undefined): LoadedHook['verify'] {
  if (subject === undefined || agreed === undefined) return undefined;
  return async () => (await fingerprint(subject).catch(() => undefined)) === agreed;
}

function judged(
  hook: LoadedHook,
  status: TrustStatus = 'untrusted',
  verify: LoadedHook['verify'],
  diagnostics: Diagnostic[],
): LoadedHook {
  if (status === 'trusted') return { ...hook, ...(verify !== undefined && { verify }) };
  const message = WHY[status];
  const told = `This hook does not run: ${message}.`;
  diagnostics.push({ severity: 'warning', code: status, message: told, source: hook.source });
  return { ...hook, inactive: { reason: status, message } };
}
