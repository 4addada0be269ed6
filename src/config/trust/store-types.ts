/** What a trust store can be told, and what it answers. */
import { HookError, show } from '../../base/errors.js';
import type { OptionNames } from '../../base/text/known-options.js';
import { loadsCode } from '../../handlers/command/environment.js';
import type { TrustStatus } from './judge.js';
import type { TrustProblem } from './problem.js';
import type { Approval } from './store-file.js';

/** What a store knows about some hooks of a workspace. */
export interface TrustReview {
  /** In the order of the hooks. */
  readonly statuses: readonly TrustStatus[];
  /** What each would be approved as; undefined for one that cannot be examined. */
  readonly fingerprints: readonly (string | undefined)[];
  /** The variables that the approval of each passes on to it. */
  readonly env: readonly (readonly string[])[];
  /** The files of the workspace of which something was approved, from the workspace where they lie inside. */
  readonly approvedFiles: readonly string[];
  /** Why nothing, or one of the hooks, can be trusted just now. */
  readonly problems: readonly TrustProblem[];
}

/** What the user was shown before approving, and what the hooks get beside. */
export interface ApproveOptions {
  /** The fingerprints that the user was shown, in the order of the hooks; a hook that has changed since is refused. */
  readonly expected?: readonly (string | undefined)[] | undefined;
  /**
   * Names of variables that are passed on to these commands although a workspace's hooks get no secrets. Variables that
   * make programs load code are refused. Default: none.
   */
  readonly env?: readonly string[] | undefined;
}

export const APPROVE_OPTIONS: OptionNames<ApproveOptions> = { expected: true, env: true };

/** One approval, for a list of them. */
export interface ListedApproval
  extends Pick<Approval, 'fingerprint' | 'event' | 'matcher' | 'summary' | 'source'> {
  readonly workspace: string;
  /** The variables that are passed on to it. */
  readonly env: readonly string[];
  /** ISO 8601, UTC. */
  readonly approvedAt: string;
}

/** Where approvals are kept. */
export interface TrustStoreOptions {
  /**
   * A full path. Default: `trust.json` in `$HOOKLINE_HOME`, else in `$XDG_CONFIG_HOME/hookline`, else in
   * `~/.config/hookline`.
   */
  readonly file?: string | undefined;
}

export const STORE_OPTIONS: OptionNames<TrustStoreOptions> = { file: true };

/** A variable that makes programs load code would run what nobody has looked at. */
export function checkVariable(name: unknown): void {
  const why =
    typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name)
      ? 'it is no name of a variable'
      : loadsCode(name)
        ? 'it makes programs load code that nobody has approved'
        : undefined;
  if (why !== undefined)
    throw new HookError('invalid_option', `The variable ${show(name)} cannot be passed on: ${why}.`);
}
