/** The hooks of a folder that need approval, each with its status and what the approval covers. */

import { resolve } from 'node:path';
import { HookError, show } from '../../base/errors.js';
import {
  isOfWorkspace,
  type LoadedConfig,
  type LoadedHook,
  SHORT_FINGERPRINT,
  type Source,
  withoutStandIns,
} from '../../config/loaded.js';
import type { TrustChanges } from '../../config/trust/changes.js';
import { missingScript, type TrustStatus } from '../../config/trust/judge.js';
import type { ApprovedHook } from '../../config/trust/store-types.js';
import type { TrustSubject } from '../../config/trust/subject.js';
import { createTrustStore, trustForm } from '../../config/trust/trust-store.js';
import { trustSubjects } from '../../config/trust/trust-subjects.js';
import type { LoadedHooks } from '../hooks/load.js';

export interface TrustedHook {
  readonly event: string;
  readonly matcher?: string;
  readonly description: string;
  readonly source: Source;
  /** `removed`: it was approved and is gone, and a person has not accepted that. */
  readonly status: TrustStatus | 'removed';
  /** What an approval refers to; undefined if the hook cannot be examined. */
  readonly fingerprint?: string;
  /** The covered files, with a note for those that are missing. */
  readonly files: readonly string[];
  /** Variables that its approval passes to it. */
  readonly env: readonly string[];
  /** Variables that it mentions and does not get. */
  readonly withheld: readonly string[];
  /** For a modified hook: what has changed since it was approved. */
  readonly changes?: TrustChanges;
  /** Why it cannot be trusted at the moment. */
  readonly problem?: string;
  /** The index of the configuration it belongs to. */
  readonly config: number;
  readonly subject: TrustSubject;
}

/** Problems of single hooks, in the order of the hooks without a fingerprint. */
const UNEXAMINED: ReadonlySet<string> = new Set(['hook_unreadable', 'hook_unresolved']);

export async function reviewHooks({ configs, cwd }: LoadedHooks): Promise<TrustedHook[]> {
  const store = createTrustStore();
  const reviewed: TrustedHook[] = [];
  for (const [index, config] of configs.entries()) {
    const subjects = trustSubjects(config);
    if (subjects.length === 0) {
      reviewed.push(...removedHooks(config, [], index, cwd));
      continue;
    }
    const { statuses, fingerprints, problems, env } = await store.review(cwd, subjects);
    const changes = await store.changes(cwd, subjects);
    const known = describe(config);
    const unexamined = problems.filter(({ code }) => UNEXAMINED.has(code));
    for (const [i, subject] of subjects.entries()) {
      const [fingerprint, change] = [fingerprints[i], changes[i]];
      const problem =
        fingerprint === undefined
          ? unexamined.shift()
          : (problems.find(({ code }) => !UNEXAMINED.has(code)) ??
            (statuses[i] === 'trusted' ? undefined : await missingScript(subject)));
      reviewed.push({
        event: subject.event,
        ...(subject.matcher !== undefined && { matcher: subject.matcher }),
        description: known[i]?.description ?? '',
        source: known[i]?.source ?? { layer: 'project', file: cwd, line: 1, column: 1 },
        status: statuses[i] ?? 'untrusted',
        ...(fingerprint !== undefined && { fingerprint }),
        files: await coveredBy(subject),
        env: env[i] ?? [],
        withheld: (await known[i]?.withheld?.()) ?? [],
        ...(change !== undefined && { changes: change }),
        ...(problem !== undefined && { problem: problem.why ?? problem.message }),
        config: index,
        subject,
      });
    }
    reviewed.push(...removedHooks(config, changes, index, cwd));
  }
  return reviewed;
}

/** Approvals whose hooks are gone. One that is shown as a change of another hook is not shown again. */
function removedHooks(
  { missing = [] }: LoadedConfig,
  changes: readonly (TrustChanges | undefined)[],
  config: number,
  cwd: string,
): TrustedHook[] {
  const shown = new Set(changes.map((change) => change?.fingerprint));
  return missing
    .filter(({ fingerprint }) => !shown.has(fingerprint))
    .map((approval) => removedHook(approval, config, cwd));
}

/** `config`: the index of the configuration that would have loaded it. */
export function removedHook(approval: ApprovedHook, config: number, cwd: string): TrustedHook {
  const { event, matcher, summary, source = '', fingerprint } = approval;
  return {
    event,
    ...(matcher !== undefined && { matcher }),
    description: summary,
    source: { layer: 'project', file: resolve(cwd, source), line: 1, column: 1 },
    status: 'removed',
    fingerprint,
    files: [],
    env: [],
    withheld: [],
    config,
    subject: { event, matcher, handler: {}, workspace: cwd },
  };
}

/** The approvals that end with an approval of these hooks: of those that are gone, and of the versions that they replace. */
export function endedBy(chosen: readonly TrustedHook[], all: boolean, { configs }: LoadedHooks): string[] {
  const gone = chosen.flatMap(({ status, fingerprint, changes, config }) => {
    if (status === 'removed') return fingerprint ?? [];
    // A hook of another file may only look like an older version.
    const missing = configs[config]?.missing ?? [];
    return missing.flatMap((each) => (each.fingerprint === changes?.fingerprint ? each.fingerprint : []));
  });
  const missing = configs.flatMap((config) => config.missing ?? []).map((each) => each.fingerprint);
  return [...new Set(all ? [...gone, ...missing] : gone)];
}

/** In the order of `trustSubjects`: the hooks of workspace groups, then modules that were not imported. */
function describe({
  groups,
  unimported = [],
}: LoadedConfig): Pick<LoadedHook, 'description' | 'source' | 'withheld'>[] {
  const written = withoutStandIns(groups)
    .filter(({ source }) => isOfWorkspace(source))
    .flatMap(({ hooks }) => hooks);
  return [
    ...written,
    ...unimported.map(({ handler }) => ({
      description: 'a module with hooks',
      source: { layer: 'project', file: String(handler['module']), line: 1, column: 1 } as const,
    })),
  ];
}

export async function coveredBy(subject: TrustSubject): Promise<string[]> {
  try {
    const { files } = await trustForm(subject);
    return files.map(({ path, content, leaves }) => {
      const [, parts] = /^part:([^:]*):/.exec(content) ?? [];
      const part = parts === undefined ? '' : ` (only ${parts.replaceAll(',', ', ')})`;
      const note = leaves ? ' (outside the folder)' : content === 'absent' ? ' (missing)' : part;
      return `${path}${note}`;
    });
  } catch {
    // The reason is reported as the hook's problem.
    return [];
  }
}

/**
 * The hooks whose fingerprints start with the given digits; without any, all hooks. Throws a HookError for digits that
 * match no hook.
 */
export function chooseHooks(
  hooks: readonly TrustedHook[],
  chosen: readonly string[],
): readonly TrustedHook[] {
  if (chosen.length === 0) return hooks;
  for (const start of chosen) {
    const found = hooks.filter(({ fingerprint }) => fingerprint?.startsWith(start.toLowerCase()));
    if (found.length > 0 && start.length >= SHORT_FINGERPRINT) continue;
    const why =
      start.length < SHORT_FINGERPRINT
        ? `is too short, give at least ${SHORT_FINGERPRINT} digits`
        : 'belongs to no hook here';
    throw new HookError(
      'invalid_option',
      `The fingerprint ${show(start)} ${why}. hookline trust status shows them.`,
    );
  }
  return hooks.filter(({ fingerprint }) =>
    chosen.some((start) => fingerprint?.startsWith(start.toLowerCase())),
  );
}
