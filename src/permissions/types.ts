/** The options, calls and verdicts of permissions. */
import type { OptionNames } from '../base/text/known-options.js';

/** The names of the modes. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'] as const;

/**
 * What is allowed without asking a user.
 *
 * - `default`: reading is allowed; everything else needs a rule, a hook or a user to allow it.
 * - `acceptEdits`: editing files in the working directories is allowed too.
 * - `plan`: nothing may be changed, even if something allows it.
 * - `bypassPermissions`: everything is allowed unless something denies it or asks.
 * - `dontAsk`: no user is available, so calls that need confirmation are denied.
 */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export const BEHAVIORS = ['deny', 'ask', 'allow'] as const;
export type PermissionBehavior = (typeof BEHAVIORS)[number];

/** A change to rules, mode or directories, as returned by hooks and users. */
export type { PermissionUpdate } from '../events/permission-fields.js';

/** The initial permissions. */
export interface PermissionOptions {
  /** Default: `default`. */
  readonly mode?: PermissionMode | undefined;
  /** Rules such as `Bash(git *)`; see the specification. Default: none. */
  readonly allow?: readonly string[] | undefined;
  /** Rules for calls that need a user's confirmation. Default: none. */
  readonly ask?: readonly string[] | undefined;
  /** Rules for calls that are always denied. Default: none. */
  readonly deny?: readonly string[] | undefined;
  /** Directories the agent works in besides the root. Relative paths start at the root. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** The value of `~`. Default: the current user's home. */
  readonly home?: string | undefined;
  /**
   * The project root: where the agent starts and works, and the base of paths in rules. Default: the current directory.
   */
  readonly root?: string | undefined;
  /**
   * Whether git may run programs that its repository configures: hooks, `core.fsmonitor`, `diff.external` and the like.
   * Default: false, so that git commands in such a repository need confirmation.
   */
  readonly trustRepository?: boolean | undefined;
}

/** The names of `PermissionOptions`. The result of `loadClaudePermissions` can be passed as it is. */
export const PERMISSION_OPTIONS: OptionNames<PermissionOptions & { diagnostics: unknown }> = {
  diagnostics: true,
  mode: true,
  allow: true,
  ask: true,
  deny: true,
  additionalDirectories: true,
  home: true,
  root: true,
  trustRepository: true,
};

/** A tool call to decide. */
export interface PermissionCall {
  readonly toolName: string;
  /** Other names of the tool: rules for any of them apply. */
  readonly aliases?: readonly string[] | undefined;
  /** As the tool will get it, after changes by hooks. */
  readonly input: unknown;
  /** The input fields that hold paths, as the tool declares them. Default: well-known field names. */
  readonly paths?: readonly string[] | undefined;
  /** Whether the tool changes nothing. */
  readonly readOnly: boolean;
  /** Whether the tool only changes the agent's own state. Default: false. */
  readonly harmless?: boolean | undefined;
  /** The agent's current directory. */
  readonly cwd: string;
  /** The decision of hooks. A call that hooks deny never gets here. */
  readonly hook?: { readonly decision: 'allow' | 'ask'; readonly reason?: string | undefined } | undefined;
}

/** The decision about a call, and its origin. */
export interface PermissionVerdict {
  readonly behavior: PermissionBehavior;
  /**
   * What decided: a rule, the mode, a hook, the nature of the tool (it only reads, or only changes the agent's own
   * state), or nothing, so that a user must be asked.
   */
  readonly by: 'rule' | 'mode' | 'hook' | 'tool' | 'default';
  /** A sentence for the model. */
  readonly reason: string;
  /** The rule that decided, as written. */
  readonly rule?: string;
}
