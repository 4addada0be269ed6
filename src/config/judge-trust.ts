/** Decides which hooks of a workspace may run. Nothing that a repository brings runs before somebody has agreed. */
import {
  type Agreement,
  type Diagnostic,
  isOfWorkspace,
  type LoadedConfig,
  type LoadedGroup,
  type LoadedHook,
} from './loaded.js';
import {
  createTrustStore,
  createVerifier,
  fingerprint,
  identityOf,
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
  if (subjects.length === 0) return [...groups];
  if (trust === 'workspace') return agreedAsTheyAre(groups, subjects);
  const { statuses, fingerprints, problems } = await trust.review(workspace, subjects);
  const source = groups.find(ofWorkspace)?.source;
  for (const { code, message } of problems) {
    if (source !== undefined) diagnostics.push({ severity: 'error', code, message, source });
  }
  return eachOfWorkspace(groups, (hook, i) => {
    const [status = 'untrusted', subject, agreed] = [statuses[i], subjects[i], fingerprints[i]];
    if (status === 'trusted') return { ...hook, ...agreedTo(subject, agreed, trust) };
    const message = WHY[status];
    const told = `This hook does not run: ${message}.`;
    diagnostics.push({ severity: 'warning', code: status, message: told, source: hook.source });
    return { ...hook, inactive: { reason: status, message } };
  });
}

/** The same for one thing that is not a hook itself, such as a module with hooks. */
export async function judgeOne(
  subject: TrustSubject,
  trust: Trust = createTrustStore(),
): Promise<{ readonly status: TrustStatus; readonly agreement?: Agreement }> {
  if (trust === 'workspace') {
    const found = await fingerprint(subject).catch(() => undefined);
    return { status: 'trusted', ...(found !== undefined && { agreement: { fingerprint: found } }) };
  }
  const { statuses, fingerprints } = await trust.review(subject.workspace, [subject]);
  const [[status = 'untrusted'], [found]] = [statuses, fingerprints];
  if (status !== 'trusted' || found === undefined) return { status };
  return { status, agreement: { fingerprint: found, identity: identityOf(subject) } };
}

/** The hooks of a configuration that need somebody's agreement, as a trust store wants them. Never throws. */
export function trustSubjects({
  groups,
  workspace = '',
  unimported = [],
}: Pick<LoadedConfig, 'groups' | 'workspace' | 'unimported'>): TrustSubject[] {
  const written = groups.filter(ofWorkspace).flatMap(({ event, options, hooks }) => {
    const { matcher, timeout, sequential, parallel, protected: kept, onFailure } = options;
    const dialect = typeof options.dialect === 'string' ? options.dialect : options.dialect?.name;
    // What a hook inherits from its group decides what it does as much as what it says itself.
    const group = { timeout, sequential, parallel, dialect, protected: kept, onFailure };
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

/** Whoever agrees to a whole workspace agrees to it as it is now, not to what becomes of it. */
async function agreedAsTheyAre(
  groups: readonly LoadedGroup[],
  subjects: readonly TrustSubject[],
): Promise<LoadedGroup[]> {
  const found = await Promise.all(subjects.map((subject) => fingerprint(subject).catch(() => undefined)));
  const store = createTrustStore();
  return eachOfWorkspace(groups, (hook, i) => {
    const { verify, agreement } = agreedTo(subjects[i], found[i], store);
    if (verify === undefined || agreement === undefined) return hook;
    return { ...hook, verify, agreement: { fingerprint: agreement.fingerprint } };
  });
}

/** `i` counts the hooks of the workspace, in the order of `trustSubjects`. */
function eachOfWorkspace(
  groups: readonly LoadedGroup[],
  change: (hook: LoadedHook, i: number) => LoadedHook,
): LoadedGroup[] {
  let next = 0;
  return groups.map((group) =>
    ofWorkspace(group) ? { ...group, hooks: group.hooks.map((hook) => change(hook, next++)) } : group,
  );
}

function ofWorkspace({ source }: LoadedGroup): boolean {
  return isOfWorkspace(source);
}

/** What was agreed to, and the way to ask whether the hook and its scripts are still that, or agreed to again. */
function agreedTo(
  subject: TrustSubject | undefined,
  agreed: string | undefined,
  trust: Pick<TrustStore, 'review'>,
): Pick<LoadedHook, 'verify' | 'agreement'> {
  if (subject === undefined || agreed === undefined) return {};
  const agreement: Agreement = { fingerprint: agreed, identity: identityOf(subject) };
  return { verify: createVerifier(subject, agreed, trust), agreement };
}
