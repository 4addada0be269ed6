/** What was approved in which folder, read from the store without examining any hook. */
import { readStore } from './store-file.js';
import { defaultTrustFile, placeProblem } from './store-place.js';
import type { ApprovedHook, TrustReview } from './store-types.js';
import { workspaceKey } from './workspace-key.js';

/** The review of a workspace in which no hook is left. Contract: never rejects. */
export async function reviewNothing(file: string, workspace: string): Promise<TrustReview> {
  const key = await workspaceKey(workspace);
  const read = typeof key === 'string' ? ((await placeProblem(file, key)) ?? (await readStore(file))) : key;
  const nothing = { statuses: [], fingerprints: [], env: [], approvedFiles: [], approvals: [] };
  if ('code' in read) return { ...nothing, problems: [read] };
  const approvals = read.get(String(key)) ?? [];
  return { ...nothing, approvedFiles: filesOf(approvals), approvals, problems: [] };
}

/** The files in which these were defined, each once. */
export function filesOf(approvals: readonly Pick<ApprovedHook, 'source'>[]): string[] {
  return [...new Set(approvals.flatMap(({ source }) => source ?? []))];
}

/**
 * The folders in which something was approved, by their real paths, each with the files it was defined in. Empty if the
 * store cannot be used. Rejects if the user has no home.
 */
export async function approvedFolders(): Promise<ReadonlyMap<string, readonly string[]>> {
  const file = defaultTrustFile();
  const read = (await placeProblem(file, undefined)) ?? (await readStore(file));
  if ('code' in read) return new Map();
  return new Map([...read].map(([folder, approvals]) => [folder, filesOf(approvals)]));
}
