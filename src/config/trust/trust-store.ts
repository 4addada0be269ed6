/** Stores which hooks of a workspace the user approved, by the fingerprint of everything that affects them. */

import { refuseUnknownOptions } from '../../base/text/known-options.js';
import type { TrustChanges } from './changes.js';
import type { TrustForm } from './fingerprint.js';
import type { TrustStatus } from './judge.js';
import { defaultTrustFile } from './store-place.js';
import {
  type ApproveOptions,
  type ListedApproval,
  STORE_OPTIONS,
  type TrustReview,
  type TrustStoreOptions,
} from './store-types.js';
import type { TrustSubject } from './subject.js';

/**
 * Creates a store for the user's approvals, in a file outside every workspace. If the file cannot be used, nothing is
 * trusted, and `review` reports why. Throws a `HookError` only for an unknown option.
 */
export function createTrustStore(options: TrustStoreOptions = {}): TrustStore {
  return new TrustStore(options);
}

/** Stores, per workspace, which hooks the user approved, and in which version. Several processes can share one file. */
export class TrustStore {
  /** The file that holds the approvals. */
  readonly file: string;

  constructor(options: TrustStoreOptions = {}) {
    refuseUnknownOptions('createTrustStore', options, STORE_OPTIONS);
    this.file = options.file ?? defaultTrustFile();
  }

  /**
   * The status of each hook. If the store cannot be used, nothing is trusted; `review` reports why. Contract: never
   * rejects.
   */
  async status(workspace: string, hooks: readonly TrustSubject[]): Promise<TrustStatus[]> {
    return [...(await this.review(workspace, hooks)).statuses];
  }

  /**
   * The status and the fingerprint of each hook, why one has none, and everything that was approved here. Contract: never
   * rejects.
   */
  async review(workspace: string, hooks: readonly TrustSubject[]): Promise<TrustReview> {
    if (hooks.length === 0) {
      // Most folders have no hooks, and nothing approved: what examines hooks is not loaded for them.
      const { reviewNothing } = await import('./approved.js');
      return reviewNothing(this.file, workspace);
    }
    const { review } = await import('./approvals.js');
    return review(this.file, workspace, hooks);
  }

  /**
   * What has changed in each `modified` hook since it was approved; undefined for all others. Contract: never rejects.
   */
  async changes(
    workspace: string,
    hooks: readonly TrustSubject[],
  ): Promise<readonly (TrustChanges | undefined)[]> {
    const { changes } = await import('./approvals.js');
    return changes(this.file, workspace, hooks);
  }

  /**
   * Approves the hooks in their current version, replacing approvals of older versions. Resolves to their fingerprints.
   * All or none: rejects with a `TrustError` if a hook has changed, cannot be examined or lacks a script, or if the
   * store cannot be used; with a `HookError` for a variable that cannot be passed.
   */
  async approve(
    workspace: string,
    hooks: readonly TrustSubject[],
    options: ApproveOptions = {},
  ): Promise<string[]> {
    const { approve } = await import('./approvals.js');
    return approve(this.file, workspace, hooks, options);
  }

  /**
   * Removes the approvals of these hooks in all versions, or without `hooks` those of the whole workspace. Resolves to
   * the number of removed approvals. Rejects with a `TrustError` if the store cannot be used.
   */
  async revoke(workspace: string, hooks?: readonly TrustSubject[]): Promise<number> {
    const { revoke } = await import('./approvals.js');
    return revoke(this.file, workspace, hooks);
  }

  /**
   * Removes these approvals, by their fingerprints, whether or not their hooks still exist: a removal that a person
   * accepts. Resolves to the number of removed approvals. Rejects with a `TrustError` if the store cannot be used.
   */
  async withdraw(workspace: string, fingerprints: readonly string[]): Promise<number> {
    const { withdraw } = await import('./approvals.js');
    return withdraw(this.file, workspace, fingerprints);
  }

  /** Every approval. Rejects with a `TrustError` if the store cannot be used. */
  async list(): Promise<ListedApproval[]> {
    const { list } = await import('./approvals.js');
    return list(this.file);
  }
}

/**
 * The data that a fingerprint of this hook covers. Executes nothing. Rejects if the handler is not plain data, or if
 * what it executes cannot be determined or is too much.
 */
export async function trustForm(subject: TrustSubject): Promise<TrustForm> {
  const { formOfSubject } = await import('./approvals.js');
  return formOfSubject(subject);
}
