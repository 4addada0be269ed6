/** Compares hooks with approvals: trusted, untrusted, or modified since the approval. */

import { isAbsolute, relative, sep } from 'node:path';
import { messageOf } from '../../base/errors.js';
import { isInside } from '../../base/files/inside.js';
import { canonical } from './canonical.js';
import { contentsOf, fieldsOf } from './changes.js';
import { coverageOf } from './covered-files.js';
import { formOfSubject, type TrustForm } from './fingerprint.js';
import { sha256 } from './hash.js';
import { problem, type TrustProblem, UnresolvedError } from './problem.js';
import type { Approval } from './store-file.js';
import { headOf, identityOf, summaryOf, type TrustSubject } from './subject.js';

/** `modified`: it was approved and has changed since; ask for approval again. */
export type TrustStatus = 'trusted' | 'untrusted' | 'modified';

/** A hook with everything it is compared by, or the reason it cannot be compared. */
export type Examined = Readable | (Compared & { readonly unreadable: TrustProblem });

export interface Readable extends Omit<Approval, 'approvedAt' | 'env'> {
  readonly unreadable?: undefined;
  readonly form: TrustForm;
}

/** Contract: never rejects. */
export async function examine(workspace: string, hooks: readonly TrustSubject[]): Promise<Examined[]> {
  const counted = new Map<string, number>();
  const examined: Examined[] = [];
  for (const hook of hooks) {
    const count = counted.get(hook.event) ?? 0;
    counted.set(hook.event, count + 1);
    const source = hook.source === undefined ? undefined : sourceName(hook.source, hook.workspace);
    examined.push(await examineOne({ ...hook, workspace, source }, `${hook.event}#${count}`));
  }
  return examined;
}

async function examineOne(hook: TrustSubject, place: string): Promise<Examined> {
  const compared: { identity: string; head: string; place: string } = { identity: '', head: '', place };
  try {
    compared.identity = identityOf(hook);
    compared.head = headOf(hook);
    const form = await formOfSubject(hook);
    return {
      form,
      fingerprint: sha256(canonical(form)),
      event: hook.event,
      ...(hook.matcher !== undefined && { matcher: hook.matcher }),
      summary: summaryOf(hook),
      ...compared,
      ...(hook.source !== undefined && { source: hook.source }),
      fields: fieldsOf(form),
      files: contentsOf(form),
    };
  } catch (thrown) {
    const code = thrown instanceof UnresolvedError ? 'hook_unresolved' : 'hook_unreadable';
    const why = messageOf(thrown);
    const message = `The ${hook.event} hook '${summaryOf(hook)}' cannot be approved: ${why}`;
    return { ...compared, unreadable: problem(code, message, why) };
  }
}

/** The name of a workspace file, independent of the path used to reach the workspace. */
export function sourceName(file: string, workspace: string): string {
  const name = isAbsolute(file) && isInside(file, workspace) ? relative(workspace, file) : file;
  return name.split(sep).join('/');
}

/** Why a hook that can be examined still cannot be approved: a file it runs is missing. Contract: never rejects. */
export async function missingScript(hook: TrustSubject): Promise<TrustProblem | undefined> {
  const { missing } = await coverageOf(hook).catch(() => ({ missing: [] }));
  const [path] = missing;
  if (path === undefined) return undefined;
  const runs = `runs '${path}', which does not exist. Create it, or correct the path. If it may be missing, test for it first: [ -f ${path} ] && ...`;
  return problem('script_missing', `The ${hook.event} hook '${summaryOf(hook)}' ${runs}`, `It ${runs}`);
}

/**
 * An approval that no hook matches any more is attributed to the hook in the same place or with a similar beginning.
 */
export function judge(examined: readonly Examined[], approvals: readonly Approval[]): TrustStatus[] {
  const approved = new Set(approvals.map((approval) => approval.fingerprint));
  const orphans = orphansOf(examined, approvals);
  return examined.map((hook) => {
    if (hook.unreadable === undefined && approved.has(hook.fingerprint)) return 'trusted';
    return orphans.some((orphan) => resembles(hook, orphan)) ? 'modified' : 'untrusted';
  });
}

/** The approval to compare a `modified` hook with: that of the same hook, or else of the one it resembles. */
export function lastApproval(
  hook: Examined,
  examined: readonly Examined[],
  approvals: readonly Approval[],
): Approval | undefined {
  if (hook.unreadable) return undefined;
  const orphans = orphansOf(examined, approvals);
  return (
    orphans.findLast(({ identity }) => identity === hook.identity) ??
    orphans.findLast(({ head }) => head === hook.head) ??
    orphans.findLast(({ place }) => place === hook.place)
  );
}

function orphansOf(examined: readonly Examined[], approvals: readonly Approval[]): Approval[] {
  const present = new Set(examined.map((hook) => (hook.unreadable ? undefined : hook.fingerprint)));
  return approvals.filter((approval) => !present.has(approval.fingerprint));
}

type Compared = Pick<Approval, 'identity' | 'head' | 'place'>;

const resembles = (hook: Compared, approval: Compared): boolean =>
  hook.identity === approval.identity || hook.head === approval.head || hook.place === approval.place;
