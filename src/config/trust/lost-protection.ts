/**
 * Determines which problems of files lose protection: those in files that take effect, which an unapproved workspace
 * does not.
 */
import { type Diagnostic, isOfWorkspace, type Source } from '../loaded.js';
import { sourceName } from './judge.js';
import type { TrustProblem, TrustProblemCode } from './problem.js';
import type { TrustReview } from './store-types.js';

/** The store exists and cannot be relied on, so it is unknown what was approved. */
const STORE_UNREADABLE: ReadonlySet<TrustProblemCode> = new Set([
  'store_is_link',
  'store_not_a_file',
  'store_writable_by_others',
  'store_owned_by_others',
  'store_malformed',
  'store_outdated',
  'store_unreadable',
]);

/** Problems of the trust store, reported at the source of the hooks in question. */
export function storeProblems(problems: readonly TrustProblem[], source: Source | undefined): Diagnostic[] {
  if (source === undefined) return [];
  return problems.map(({ code, message }) => ({
    severity: 'error',
    code,
    message,
    source,
    ...(STORE_UNREADABLE.has(code) && { failsOpen: true }),
  }));
}

/**
 * Clears `failsOpen` for workspace files without approvals. `review` is undefined if the caller approved the whole
 * workspace.
 */
export function onlyWhatCounts(
  diagnostics: readonly Diagnostic[],
  workspace: string,
  review: Pick<TrustReview, 'approvedFiles'> | undefined,
): Diagnostic[] {
  if (review === undefined) return [...diagnostics];
  const approved = new Set(review.approvedFiles);
  return diagnostics.map((diagnostic) => {
    const { failsOpen, source } = diagnostic;
    if (!failsOpen || !isOfWorkspace(source)) return diagnostic;
    return { ...diagnostic, failsOpen: approved.has(sourceName(source.file, workspace)) };
  });
}
