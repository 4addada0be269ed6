/** Decides which hooks of a workspace may run. Nothing from a repository runs before it is approved. */
import {
  type ApprovedVersion,
  type Diagnostic,
  isOfWorkspace,
  type LoadedConfig,
  type LoadedGroup,
  type LoadedHook,
} from '../loaded.js';
import { fingerprint } from './fingerprint.js';
import type { TrustStatus } from './judge.js';
import { onlyWhatCounts, storeProblems } from './lost-protection.js';
import { findMissing, type Ownership } from './missing.js';
import { type TrustProblemCode, UnresolvedError } from './problem.js';
import { ProblemReporter } from './report-problems.js';
import { approvalStands } from './stands.js';
import { identityOf, type TrustSubject } from './subject.js';
import { createTrustStore, type TrustStore } from './trust-store.js';
import { trustSubjects } from './trust-subjects.js';
import { createVerifier } from './verify.js';
import { withheldFrom } from './withheld.js';

/** The source of approvals: a trust store, or 'workspace' if the caller approves the whole workspace. */
export type Trust = Pick<TrustStore, 'review'> | 'workspace';

const WHY: Readonly<Record<Exclude<TrustStatus, 'trusted'>, string>> = {
  untrusted: 'it comes with the workspace and is not approved yet; review and approve it',
  modified: 'it or its script has changed since it was approved; review and approve it again',
};

/** The hooks that may run, those that refuse in the place of others, and all diagnostics. */
export type Judged = Pick<LoadedConfig, 'groups' | 'diagnostics' | 'missing'>;

export async function judgeTrust(
  { groups, diagnostics }: Judged,
  workspace: string,
  trust: Trust = createTrustStore(),
  ownership?: Ownership,
): Promise<Judged> {
  const subjects = trustSubjects({ groups, workspace });
  // A file that can no longer be read may have contained approved hooks.
  const lost = diagnostics.find(({ failsOpen, source }) => failsOpen && isOfWorkspace(source));
  const isBare = subjects.length === 0 && lost === undefined;
  if (isBare && (ownership === undefined || trust === 'workspace')) return { groups, diagnostics };
  if (trust === 'workspace') {
    const reported = [...diagnostics];
    return {
      groups: (await approveCurrentState(groups, subjects, reported)).map(switchedOff),
      diagnostics: reported,
    };
  }
  const review = await trust.review(workspace, subjects);
  // A store of the caller may know less.
  const { approvals = [] } = review;
  if (isBare && approvals.length === 0) return { groups, diagnostics };
  const source = groups.find(ofWorkspace)?.source ?? lost?.source;
  const ofHooks = review.problems.filter(({ code }) => isOfHook(code));
  const ofStore = review.problems.filter(({ code }) => !isOfHook(code));
  const reported = [...onlyWhatCounts(diagnostics, workspace, review), ...storeProblems(ofStore, source)];
  const reporter = new ProblemReporter(groups.filter(ofWorkspace), reported);
  const unexamined = [...review.fingerprints.keys()].filter((i) => review.fingerprints[i] === undefined);
  for (const { code, message } of ofHooks) reporter.report('error', code, message, unexamined.shift() ?? 0);
  for (const [i, subject] of subjects.entries())
    if (review.statuses[i] !== 'trusted') await reporter.reportMissing(subject, i);
  const judged = mapWorkspaceHooks(groups, (hook, i) => {
    const [status = 'untrusted', subject, approved] = [
      review.statuses[i],
      subjects[i],
      review.fingerprints[i],
    ];
    const known = withWithheldNames(withApprovedVariables(hook, review.env?.[i] ?? []), subject);
    if (status === 'trusted') {
      if (known.switchedOff !== undefined) reported.push(staysOn(known));
      return { ...known, ...approvedVersion(subject, approved, trust) };
    }
    const message = WHY[status];
    const text = `This hook does not run: ${message}.`;
    reported.push({ severity: 'warning', code: status, message: text, source: hook.source });
    return { ...known, inactive: { reason: status, message } };
  });
  if (ownership === undefined) return { groups: judged, diagnostics: reported };
  const found = findMissing(ownership, {
    workspace,
    approvals,
    fingerprints: review.fingerprints,
    modified: subjects.filter((_, i) => review.statuses[i] === 'modified'),
    store: trust,
  });
  return {
    groups: [...judged, ...found.groups],
    diagnostics: [...reported, ...found.diagnostics],
    ...(found.missing.length > 0 && { missing: found.missing }),
  };
}

/** A workspace cannot switch off what a person approved: its files may be written by an agent. */
function staysOn({ switchedOff, source }: LoadedHook): Diagnostic {
  const message = `This hook stays in force, although it is ${switchedOff?.message}: it was approved, and a file of the workspace cannot switch it off. Do that in your own settings, or withdraw the approval: hookline trust revoke`;
  return { severity: 'warning', code: 'stays_on', message, source };
}

function switchedOff(group: LoadedGroup): LoadedGroup {
  return {
    ...group,
    hooks: group.hooks.map((hook): LoadedHook => {
      if (hook.switchedOff === undefined) return hook;
      return { ...hook, inactive: { reason: 'disabled', ...hook.switchedOff } };
    }),
  };
}

/** Whether it is a problem of one hook, not of the store. */
function isOfHook(code: TrustProblemCode): boolean {
  return code === 'hook_unreadable' || code === 'hook_unresolved';
}

/** Adds the variables approved for this hook to those that every workspace hook gets. */
function withApprovedVariables(loaded: LoadedHook, allowedEnvVars: readonly string[]): LoadedHook {
  const { hook } = loaded;
  if (allowedEnvVars.length === 0 || typeof hook !== 'object' || hook.type !== 'command') return loaded;
  return { ...loaded, hook: { ...hook, allowedEnvVars } };
}

function withWithheldNames(loaded: LoadedHook, subject: TrustSubject | undefined): LoadedHook {
  if (subject === undefined || typeof loaded.hook !== 'object' || loaded.hook.type !== 'command')
    return loaded;
  return { ...loaded, withheld: () => withheldFrom(subject, loaded) };
}

/** The same for one subject that is not a hook itself, such as a module with hooks. */
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
  const stands = approvalStands(trust, subject.workspace, found);
  return { status, approval: { fingerprint: found, identity: identityOf(subject), stands } };
}

/** Approving a whole workspace approves its current state, not later changes. */
async function approveCurrentState(
  groups: readonly LoadedGroup[],
  subjects: readonly TrustSubject[],
  diagnostics: Diagnostic[],
): Promise<LoadedGroup[]> {
  const reporter = new ProblemReporter(groups.filter(ofWorkspace), diagnostics);
  const found = await Promise.all(
    subjects.map((subject, i) =>
      fingerprint(subject).catch((thrown: unknown) => {
        if (thrown instanceof UnresolvedError)
          reporter.report('warning', 'hook_unresolved', thrown.message, i);
        return undefined;
      }),
    ),
  );
  for (const [i, subject] of subjects.entries()) await reporter.reportMissing(subject, i);
  const store = createTrustStore();
  return mapWorkspaceHooks(groups, (hook, i) => {
    const known = withWithheldNames(hook, subjects[i]);
    const { verify, approval } = approvedVersion(subjects[i], found[i], store);
    if (verify === undefined || approval === undefined) return known;
    return { ...known, verify, approval: { fingerprint: approval.fingerprint } };
  });
}

/** `i` counts the hooks of the workspace, in the order of `trustSubjects`. */
function mapWorkspaceHooks(
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

/** The approved version, and a check whether the hook and its scripts still match it or were approved again. */
function approvedVersion(
  subject: TrustSubject | undefined,
  approved: string | undefined,
  trust: Pick<TrustStore, 'review'>,
): Pick<LoadedHook, 'verify' | 'approval'> {
  if (subject === undefined || approved === undefined) return {};
  const stands = approvalStands(trust, subject.workspace, approved);
  const approval: ApprovedVersion = { fingerprint: approved, identity: identityOf(subject), stands };
  return { verify: createVerifier(subject, approved, trust), approval };
}
