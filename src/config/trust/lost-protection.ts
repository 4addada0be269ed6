/** Which problems of files lose protection: those of files that have a say. An unapproved workspace has none. */
import { type Diagnostic, isOfWorkspace, type Source } from '../loaded.js';
import { sourceName, type TrustProblem, type TrustProblemCode, type TrustReview } from './index.js';

/** The store is there and cannot be relied on, so nobody knows what was approved. */
const STORE_UNREADABLE: ReadonlySet<TrustProblemCode> = new Set([
  'store_is_link',
  'store_not_a_file',
  'store_writable_by_others',
  'store_owned_by_others',
  'store_malformed',
  'store_outdated',
  'store_unreadable',
]);

/** What a trust store cannot do just now, told at the place of what it was asked about. */
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

/** `review`: what the trust store said about the workspace; undefined when the caller has approved all of it. */
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
