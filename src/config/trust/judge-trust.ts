/** Decides which hooks of a workspace may run. Nothing that a repository brings runs before somebody has approved it. */
import {
  type ApprovedVersion,
  type Diagnostic,
  isOfWorkspace,
  type LoadedConfig,
  type LoadedGroup,
  type LoadedHook,
} from '../loaded.js';
import {
  createTrustStore,
  createVerifier,
  fingerprint,
  identityOf,
  type TrustProblemCode,
  type TrustStatus,
  type TrustStore,
  type TrustSubject,
  UnresolvedError,
} from './index.js';
import { onlyWhatCounts, storeProblems } from './lost-protection.js';
import { ProblemTeller } from './tell-problems.js';
import { withheldFrom } from './withheld.js';

/** Whoever knows what was approved: a trust store, or 'workspace' when the caller has asked for the whole of it. */
export type Trust = Pick<TrustStore, 'review'> | 'workspace';

const WHY: Readonly<Record<Exclude<TrustStatus, 'trusted'>, string>> = {
  untrusted: 'it comes with the workspace and nobody has approved it yet; look at it and approve it',
  modified: 'it or its script has changed since it was approved; look at it and approve it again',
};

/** What may run of what was loaded, and everything there is to say about it. */
export type Judged = Pick<LoadedConfig, 'groups' | 'diagnostics'>;

export async function judgeTrust(
  { groups, diagnostics }: Judged,
  workspace: string,
  trust: Trust = createTrustStore(),
): Promise<Judged> {
  const subjects = trustSubjects({ groups, workspace });
  // A file that cannot be read any more may have held what was approved.
  const lost = diagnostics.find(({ failsOpen, source }) => failsOpen && isOfWorkspace(source));
  if (subjects.length === 0 && lost === undefined) return { groups, diagnostics };
  if (trust === 'workspace') {
    const told = [...diagnostics];
    return { groups: await approvedAsTheyAre(groups, subjects, told), diagnostics: told };
  }
  const review = await trust.review(workspace, subjects);
  const source = groups.find(ofWorkspace)?.source ?? lost?.source;
  const ofHooks = review.problems.filter(({ code }) => isOfHook(code));
  const ofStore = review.problems.filter(({ code }) => !isOfHook(code));
  const told = [...onlyWhatCounts(diagnostics, workspace, review), ...storeProblems(ofStore, source)];
  const teller = new ProblemTeller(groups.filter(ofWorkspace), told);
  const unexamined = [...review.fingerprints.keys()].filter((i) => review.fingerprints[i] === undefined);
  for (const { code, message } of ofHooks) teller.tell('error', code, message, unexamined.shift() ?? 0);
  for (const [i, subject] of subjects.entries())
    if (review.statuses[i] !== 'trusted') await teller.tellMissing(subject, i);
  const judged = eachOfWorkspace(groups, (hook, i) => {
    const [status = 'untrusted', subject, approved] = [
      review.statuses[i],
      subjects[i],
      review.fingerprints[i],
    ];
    const known = namingWithheld(passingOn(hook, review.env?.[i] ?? []), subject);
    if (status === 'trusted') return { ...known, ...approvedVersion(subject, approved, trust) };
    const message = WHY[status];
    const text = `This hook does not run: ${message}.`;
    told.push({ severity: 'warning', code: status, message: text, source: hook.source });
    return { ...known, inactive: { reason: status, message } };
  });
  return { groups: judged, diagnostics: told };
}

/** The problem of one hook, not of the store. */
function isOfHook(code: TrustProblemCode): boolean {
  return code === 'hook_unreadable' || code === 'hook_unresolved';
}

/** The variables that somebody has approved for it beside those that every hook of a workspace gets. */
function passingOn(loaded: LoadedHook, allowedEnvVars: readonly string[]): LoadedHook {
  const { hook } = loaded;
  if (allowedEnvVars.length === 0 || typeof hook !== 'object' || hook.type !== 'command') return loaded;
  return { ...loaded, hook: { ...hook, allowedEnvVars } };
}

function namingWithheld(loaded: LoadedHook, subject: TrustSubject | undefined): LoadedHook {
  if (subject === undefined || typeof loaded.hook !== 'object' || loaded.hook.type !== 'command')
    return loaded;
  return { ...loaded, withheld: () => withheldFrom(subject, loaded) };
}

/** The same for one thing that is not a hook itself, such as a module with hooks. */
export async function judgeOne(
  subject: TrustSubject,
  trust: Trust = createTrustStore(),
): Promise<{ readonly status: TrustStatus; readonly approval?: ApprovedVersion }> {
  if (trust === 'workspace') {
    const found = await fingerprint(subject).catch(() => undefined);
    return { status: 'trusted', ...(found !== undefined && { approval: { fingerprint: found } }) };
  }
  const { statuses, fingerprints } = await trust.review(subject.workspace, [subject]);
  const [[status = 'untrusted'], [found]] = [statuses, fingerprints];
  if (status !== 'trusted' || found === undefined) return { status };
  return { status, approval: { fingerprint: found, identity: identityOf(subject) } };
}

/** The hooks of a configuration that need somebody's approval, as a trust store wants them. Never throws. */
export function trustSubjects({
  groups,
  workspace = '',
  unimported = [],
}: Pick<LoadedConfig, 'groups' | 'workspace' | 'unimported'>): TrustSubject[] {
  const written = groups.filter(ofWorkspace).flatMap(({ event, options, hooks }) => {
    const { matcher, timeout, sequential, parallel, protected: kept, last, onFailure } = options;
    const dialect = typeof options.dialect === 'string' ? options.dialect : options.dialect?.name;
    // What a hook inherits from its group decides what it does as much as what it says itself.
    const group = { timeout, sequential, parallel, dialect, protected: kept, last, onFailure };
    return hooks.map((hook) => ({
      event,
      matcher,
      // Last, so that nothing the entry says takes their place.
      handler: { ...hook.written, group, ...(hook.settingsEnv && { settingsEnv: hook.settingsEnv }) },
      workspace,
      files: hook.files,
      source: hook.source.file,
    }));
  });
  return [...written, ...unimported];
}

/** Whoever approves a whole workspace approves it as it is now, not what becomes of it. */
async function approvedAsTheyAre(
  groups: readonly LoadedGroup[],
  subjects: readonly TrustSubject[],
  diagnostics: Diagnostic[],
): Promise<LoadedGroup[]> {
  const teller = new ProblemTeller(groups.filter(ofWorkspace), diagnostics);
  const found = await Promise.all(
    subjects.map((subject, i) =>
      fingerprint(subject).catch((thrown: unknown) => {
        if (thrown instanceof UnresolvedError) teller.tell('warning', 'hook_unresolved', thrown.message, i);
        return undefined;
      }),
    ),
  );
  for (const [i, subject] of subjects.entries()) await teller.tellMissing(subject, i);
  const store = createTrustStore();
  return eachOfWorkspace(groups, (hook, i) => {
    const known = namingWithheld(hook, subjects[i]);
    const { verify, approval } = approvedVersion(subjects[i], found[i], store);
    if (verify === undefined || approval === undefined) return known;
    return { ...known, verify, approval: { fingerprint: approval.fingerprint } };
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

/** What was approved, and the way to ask whether the hook and its scripts are still that, or approved again. */
function approvedVersion(
  subject: TrustSubject | undefined,
  approved: string | undefined,
  trust: Pick<TrustStore, 'review'>,
): Pick<LoadedHook, 'verify' | 'approval'> {
  if (subject === undefined || approved === undefined) return {};
  const approval: ApprovedVersion = { fingerprint: approved, identity: identityOf(subject) };
  return { verify: createVerifier(subject, approved, trust), approval };
}
