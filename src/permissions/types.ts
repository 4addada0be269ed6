/** What permissions are made from, what they are asked, and what they answer. */
import type { z } from 'zod';
import type { OptionNames } from '../base/text/known-options.js';
import type { permissionUpdate } from '../events/fields.js';

/** The names of the modes. */
export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'] as const;

/**
 * What may happen without anybody being asked.
 *
 * - `default`: reading is allowed, everything else needs a rule, a hook or a person that allows it.
 * - `acceptEdits`: files in the working directories may also be edited.
 * - `plan`: nothing may be changed, whoever allows it.
 * - `bypassPermissions`: everything is allowed that nothing forbids or asks about.
 * - `dontAsk`: nobody is there to be asked, so what needs approval is refused.
 */
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export const BEHAVIORS = ['deny', 'ask', 'allow'] as const;
export type PermissionBehavior = (typeof BEHAVIORS)[number];

/** A change to rules, mode or directories, as hooks and people answer it. */
export type PermissionUpdate = z.output<typeof permissionUpdate>;

/** What is permitted from the beginning. */
export interface PermissionOptions {
  /** Default: `default`. */
  readonly mode?: PermissionMode | undefined;
  /** Rules such as `Bash(git *)`; see the specification. Default: none. */
  readonly allow?: readonly string[] | undefined;
  /** Calls that a person has to be asked about. Default: none. */
  readonly ask?: readonly string[] | undefined;
  /** Calls that are refused, whoever allows them. Default: none. */
  readonly deny?: readonly string[] | undefined;
  /** Directories beside the root in which the agent works. Relative ones start at the root. */
  readonly additionalDirectories?: readonly string[] | undefined;
  /** What `~` is. Default: the home of whoever runs this. */
  readonly home?: string | undefined;
  /** The project: where the agent starts and works, and where the paths of rules start. Default: this process's directory. */
  readonly root?: string | undefined;
  /**
   * Git may run what the repository that it is used in says: hooks, `core.fsmonitor`, `diff.external` and the like. Default:
   * false, so that git commands in such a repository are asked about.
   */
  readonly trustRepository?: boolean | undefined;
}

/** The names of `PermissionOptions`. What `loadClaudePermissions` returns can be given as it is. */
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

/** A call of a tool that somebody wants to make. */
export interface PermissionCall {
  readonly toolName: string;
  /** Other names the tool is known by: a rule for any of them counts. */
  readonly aliases?: readonly string[] | undefined;
  /** As the tool will get it, after any change by hooks. */
  readonly input: unknown;
  /** The fields of the input that hold paths, as the tool declares them. Default: told by usual names. */
  readonly paths?: readonly string[] | undefined;
  /** The tool changes nothing. */
  readonly readOnly: boolean;
  /** All the tool changes is what the agent keeps for itself. Default: false. */
  readonly harmless?: boolean | undefined;
  /** Where the agent is now. */
  readonly cwd: string;
  /** What hooks have decided. A call that hooks deny is never asked about. */
  readonly hook?: { readonly decision: 'allow' | 'ask'; readonly reason?: string | undefined } | undefined;
}

/** What permissions say about a call, and who said so. */
export interface PermissionVerdict {
  readonly behavior: PermissionBehavior;
  /**
   * Who decided: a rule, the mode, a hook, what the tool does (it only reads, or keeps the agent's notes), or nobody,
   * so that somebody has to be asked.
   */
  readonly by: 'rule' | 'mode' | 'hook' | 'tool' | 'default';
  /** A sentence the model can read. */
  readonly reason: string;
  /** The rule that decided, as it is written. */
  readonly rule?: string;
}
