/** The options and results of a trust store. */
import { HookError, show } from '../../base/errors.js';
import type { OptionNames } from '../../base/text/known-options.js';
import { loadsCode } from '../../handlers/command/environment.js';
import type { TrustStatus } from './judge.js';
import type { TrustProblem } from './problem.js';
import type { Approval } from './store-file.js';

/** The approval state of some hooks of a workspace. */
export interface TrustReview {
  /** In the order of the hooks. */
  readonly statuses: readonly TrustStatus[];
  /** The current fingerprint of each hook; undefined if it cannot be examined. */
  readonly fingerprints: readonly (string | undefined)[];
  /** The variables that the approval of each hook passes to it. */
  readonly env: readonly (readonly string[])[];
  /** The workspace files with approved hooks, relative to the workspace if inside it. */
  readonly approvedFiles: readonly string[];
  /** Everything that was approved in this workspace, also what is no longer there. */
  readonly approvals: readonly ApprovedHook[];
  /** Why nothing, or one of the hooks, can be trusted at the moment. */
  readonly problems: readonly TrustProblem[];
}

/** A hook as it was approved. */
export interface ApprovedHook
  extends Pick<
    Approval,
    'fingerprint' | 'event' | 'matcher' | 'summary' | 'source' | 'approvedAt' | 'fields'
  > {}

/** Options of `approve`. */
export interface ApproveOptions {
  /** The fingerprints that the user was shown, in the order of the hooks; a hook that has changed since is rejected. */
  readonly expected?: readonly (string | undefined)[] | undefined;
  /**
   * Names of variables to pass to these commands, although workspace hooks get no secrets. Variables that make programs
   * load code are rejected. Default: none.
   */
  readonly env?: readonly string[] | undefined;
}

export const APPROVE_OPTIONS: OptionNames<ApproveOptions> = { expected: true, env: true };

/** One approval, as returned by `list`. */
export interface ListedApproval
  extends Pick<Approval, 'fingerprint' | 'event' | 'matcher' | 'summary' | 'source'> {
  readonly workspace: string;
  /** The variables that are passed to it. */
  readonly env: readonly string[];
  /** ISO 8601, UTC. */
  readonly approvedAt: string;
}

/** Options of a trust store. */
export interface TrustStoreOptions {
  /**
   * An absolute path. Default: `trust.json` in `$HOOKLINE_HOME`, `$XDG_CONFIG_HOME/hookline` or `~/.config/hookline`,
   * in this order.
   */
  readonly file?: string | undefined;
}

export const STORE_OPTIONS: OptionNames<TrustStoreOptions> = { file: true };

/**
 * Throws a HookError for an invalid name, and for a variable that makes programs load code, which would run unapproved
 * files.
 */
export function checkVariable(name: unknown): void {
  const why =
    typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name)
      ? 'it is not a valid variable name'
      : loadsCode(name)
        ? 'it makes programs load code that is not approved'
        : undefined;
  if (why !== undefined)
    throw new HookError('invalid_option', `The variable ${show(name)} cannot be passed to hooks: ${why}.`);
}
