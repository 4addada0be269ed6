/** What a trust store does with its file. Loaded when first used: it reads shell lines, which takes a lot of code. */

import { dirname, resolve } from 'node:path';
import { makePrivateFolder } from '../../base/files/private.js';
import { refuseUnknownOptions } from '../../base/text/known-options.js';
import { filesOf } from './approved.js';
import { changesSince, reachOf, type TrustChanges } from './changes.js';
import { type Examined, examine, judge, lastApproval, missingScript, type Readable } from './judge.js';
import { keepScripts, pruneScripts } from './kept-scripts.js';
import { withLock } from './lock.js';
import { problem, TrustError, type TrustProblem } from './problem.js';
import { type Approval, type Approvals, readStore, writeStore } from './store-file.js';
import { placeProblem } from './store-place.js';
import {
  APPROVE_OPTIONS,
  type ApproveOptions,
  checkVariable,
  type ListedApproval,
  type TrustReview,
} from './store-types.js';
import type { TrustSubject } from './subject.js';
import { workspaceKey } from './workspace-key.js';

export { formOfSubject } from './fingerprint.js';

/** The status and the fingerprint of each hook, and why one has none. Contract: never rejects. */
export async function review(
  file: string,
  workspace: string,
  hooks: readonly TrustSubject[],
): Promise<TrustReview> {
  const key = await workspaceKey(workspace);
  if (typeof key !== 'string') return refusedReview(hooks, key);
  const examined = await examine(key, hooks);
  const read = (await placeProblem(file, key)) ?? (await readStore(file));
  const unreadable = examined.flatMap((hook) => hook.unreadable ?? []);
  const fingerprints = examined.map((hook) => (hook.unreadable ? undefined : hook.fingerprint));
  if ('code' in read) {
    return { ...refusedReview(hooks, read), fingerprints, problems: [read, ...unreadable] };
  }
  const approvals = read.get(key) ?? [];
  return {
    statuses: judge(examined, approvals),
    fingerprints,
    env: fingerprints.map((each) => approvals.find(({ fingerprint }) => fingerprint === each)?.env ?? []),
    approvedFiles: filesOf(approvals),
    approvals,
    problems: unreadable,
  };
}

/**
 * What has changed in each `modified` hook since it was approved; undefined for all others. Contract: never rejects.
 */
export async function changes(
  file: string,
  workspace: string,
  hooks: readonly TrustSubject[],
): Promise<readonly (TrustChanges | undefined)[]> {
  const key = await workspaceKey(workspace);
  if (typeof key !== 'string') return hooks.map(() => undefined);
  const examined = await examine(key, hooks);
  const read = (await placeProblem(file, key)) ?? (await readStore(file));
  const approvals = 'code' in read ? [] : (read.get(key) ?? []);
  const statuses = judge(examined, approvals);
  return Promise.all(
    examined.map(async (hook, i) => {
      const last = statuses[i] === 'modified' ? lastApproval(hook, examined, approvals) : undefined;
      return hook.unreadable || !last ? undefined : changesSince(last, hook.form, key, file);
    }),
  );
}

/**
 * Approves the hooks in their current version, replacing approvals of older versions. Resolves to their fingerprints.
 * All or none: rejects with a `TrustError` if a hook has changed, cannot be examined or lacks a script, or if the
 * store cannot be used; with a `HookError` for a variable that cannot be passed.
 */
export async function approve(
  file: string,
  workspace: string,
  hooks: readonly TrustSubject[],
  options: ApproveOptions = {},
): Promise<string[]> {
  refuseUnknownOptions('approve', options, APPROVE_OPTIONS);
  const { expected, env = [] } = options;
  for (const name of env) checkVariable(name);
  const key = existing(await workspaceKey(workspace));
  const examined = (await examine(key, hooks)).map(readable);
  const changed = examined.find((hook, i) => expected && hook.fingerprint !== expected[i]);
  if (changed) {
    const message = `The ${changed.event} hook '${changed.summary}' has changed since it was shown, so it was not approved. Look at it again.`;
    throw new TrustError(problem('hook_changed', message));
  }
  for (const hook of hooks) refuse(await missingScript({ ...hook, workspace: key }));
  const approvedAt = new Date().toISOString();
  const versions = examined.map(versionOf);
  const fresh = examined.map(({ form, ...hook }): Approval => {
    const passed = form.handler['type'] === 'command' ? [...new Set(env)].sort() : [];
    return { ...hook, approvedAt, env: passed };
  });
  await update(file, key, (approvals) => [
    ...approvals.filter((approval) => !versions.some(isVersion(approval))),
    ...fresh,
  ]);
  const covered = examined.flatMap(({ form }) => form.files);
  await keepScripts(
    file,
    covered.map(({ path, content }) => ({ path: resolve(key, path), content })),
  );
  return examined.map((hook) => hook.fingerprint);
}

interface Version {
  readonly what: string;
  readonly source: string | undefined;
}

/** The same for versions of a hook that judge the same calls: one of them replaces another. */
function versionOf({ identity, fields, source }: Pick<Approval, 'identity' | 'fields' | 'source'>): Version {
  return { what: `${identity} ${reachOf(fields)}`, source };
}

/** An approval that does not name its file is of any. */
function isVersion(approval: Approval): (other: Version) => boolean {
  const { what, source } = versionOf(approval);
  return (other) =>
    other.what === what && (source === undefined || other.source === undefined || source === other.source);
}

/**
 * Removes the approvals of these hooks in all versions, or without `hooks` those of the whole workspace. Resolves to
 * the number of removed approvals. Rejects with a `TrustError` if the store cannot be used.
 */
export async function revoke(
  file: string,
  workspace: string,
  hooks?: readonly TrustSubject[],
): Promise<number> {
  const found = await workspaceKey(workspace);
  // Approvals of a deleted workspace can still be revoked.
  const key = typeof found === 'string' ? found : resolve(workspace);
  const gone = hooks && new Set((await examine(key, hooks)).map((hook) => hook.identity));
  let removed = 0;
  await update(file, key, (approvals) => {
    const kept = gone ? approvals.filter((approval) => !gone.has(approval.identity)) : [];
    removed = approvals.length - kept.length;
    return kept;
  });
  return removed;
}

/**
 * Removes these approvals, whether or not their hooks still exist. Resolves to the number of removed approvals. Rejects
 * with a `TrustError` if the store cannot be used.
 */
export async function withdraw(
  file: string,
  workspace: string,
  fingerprints: readonly string[],
): Promise<number> {
  const found = await workspaceKey(workspace);
  const gone = new Set(fingerprints);
  let removed = 0;
  await update(file, typeof found === 'string' ? found : resolve(workspace), (approvals) => {
    const kept = approvals.filter(({ fingerprint }) => !gone.has(fingerprint));
    removed = approvals.length - kept.length;
    return kept;
  });
  return removed;
}

/** Every approval. Rejects with a `TrustError` if the store cannot be used. */
export async function list(file: string): Promise<ListedApproval[]> {
  const approvals = approvalsOf((await placeProblem(file, undefined)) ?? (await readStore(file)));
  return [...approvals].flatMap(([workspace, list]) =>
    list.map(({ fingerprint, event, matcher, summary, approvedAt, env, source }) => ({
      ...{ workspace, fingerprint, event, summary, approvedAt, env },
      ...(matcher !== undefined && { matcher }),
      ...(source !== undefined && { source }),
    })),
  );
}

/** Reads the file again under the lock, so that no concurrent approval is lost. */
async function update(
  file: string,
  key: string,
  change: (approvals: readonly Approval[]) => readonly Approval[],
): Promise<void> {
  const place = async (): Promise<TrustProblem | undefined> => placeProblem(file, key);
  refuse(await place());
  await makePrivateFolder(dirname(file));
  refuse(await place());
  await withLock(file, async (stillOurs) => {
    const approvals = new Map(approvalsOf(await readStore(file)));
    const changed = change(approvals.get(key) ?? []);
    if (changed.length > 0) approvals.set(key, changed);
    else approvals.delete(key);
    if (!(await stillOurs())) {
      const message = `Another process took over the lock of '${file}'. Try again.`;
      throw new TrustError(problem('store_locked', message));
    }
    await writeStore(file, approvals);
    const covered = [...approvals.values()].flat().flatMap(({ files }) => files);
    await pruneScripts(file, new Set(covered.map(([, content]) => content.split(' ', 1)[0] ?? '')));
  });
}

function refusedReview(hooks: readonly TrustSubject[], why: TrustProblem): TrustReview {
  return {
    statuses: hooks.map(() => 'untrusted' as const),
    fingerprints: hooks.map(() => undefined),
    env: hooks.map(() => []),
    approvedFiles: [],
    approvals: [],
    problems: [why],
  };
}

function readable(hook: Examined): Readable {
  if (hook.unreadable !== undefined) throw new TrustError(hook.unreadable);
  return hook;
}

function existing(key: string | TrustProblem): string {
  if (typeof key !== 'string') throw new TrustError(key);
  return key;
}

function approvalsOf(read: Approvals | TrustProblem): Approvals {
  if ('code' in read) throw new TrustError(read);
  return read;
}

function refuse(why: TrustProblem | undefined): void {
  if (why) throw new TrustError(why);
}
