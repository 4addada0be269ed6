/** What a configuration file becomes: groups that remember where they come from, and everything worth saying about it. */
import type { AnyEvent } from '../events/types.js';
import type { HandlerServices } from '../handlers/kinds.js';
import type { Hook } from '../handlers/types.js';
import type { TrustSubject } from './trust/subject.js';
import type { MatcherOptions } from './types.js';

/** Who wrote a hook down. `file` and `plugin` are named by the caller; `project` and `local` come with a workspace. */
export type Layer = 'managed' | 'user' | 'file' | 'project' | 'local' | 'plugin';

/** Whether something comes with a workspace, and so needs somebody's approval. */
export function isOfWorkspace({ layer }: { readonly layer: Layer }): boolean {
  return layer === 'project' || layer === 'local';
}

/** Where something is written. Lines and columns begin at 1. */
export interface Source {
  readonly layer: Layer;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something to tell about a configuration. An error means that something of it does not count. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** A stable word for programs, such as `unknown_event` or `missing_script`. */
  readonly code: string;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  readonly source: Source;
  /**
   * A guard, a rule that denies or asks, or a whole file does not count because of it. True: protection is lost, so do not
   * start unattended. False: the file has no say, since it comes with a workspace and nothing of it was approved.
   */
  readonly failsOpen?: boolean;
}

/** Marks what loses protection wherever its file has a say: what is an error may have been a guard. */
export function losesProtection(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'error' ? { ...diagnostic, failsOpen: true } : diagnostic;
}

/** Why a hook that is written down will not run. */
export type InactiveReason = 'disabled' | 'untrusted' | 'modified' | 'unsupported' | 'broken';

/** So many digits of a fingerprint tell approvals apart for people. */
export const SHORT_FINGERPRINT = 8;

/** What was approved, so that nothing else takes its place. */
export interface ApprovedVersion {
  /** Of the hook with its scripts, as they were then. */
  readonly fingerprint: string;
  /**
   * The same for every version of the hook. Absent where the whole workspace was approved: nobody has looked at the
   * versions, so none takes the place of another.
   */
  readonly identity?: string;
}

/** One hook of a file. */
export interface LoadedHook {
  /** What is registered. With `inactive` it is only a description and never runs. */
  readonly hook: Hook;
  /** How people recognise it: its command line, its URL, its handler's name. */
  readonly description: string;
  readonly source: Source;
  /** The entry as it is written: what somebody approves when it has to be trusted. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Variables that settings of the workspace set for it; approved with it. */
  readonly settingsEnv?: Readonly<Record<string, string>>;
  /** Further files that decide what it does, beside those that its command names. */
  readonly files?: readonly string[];
  /**
   * Whether it is still what somebody approved; asked right before every start. One that is not refuses what the event
   * asks about, as a guard that failed. Contract: never throws or rejects.
   */
  readonly verify?: () => boolean | Promise<boolean>;
  /** What somebody approved, of hooks that come with a workspace: those stay in force while a session lasts. */
  readonly approval?: ApprovedVersion;
  /**
   * Names of variables that a command of a workspace speaks of and does not get, since they may hold secrets. Contract:
   * never rejects.
   */
  readonly withheld?: () => Promise<readonly string[]>;
  /** Two hooks with the same key are one: the later ones are left out of a fire in which an earlier one runs. */
  readonly key?: string;
  /** Whether it is meant for this input; without one it always is. Contract: pure, never throws. */
  readonly applies?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** The condition as it is written, for explanations. */
  readonly condition?: string;
  /**
   * It will not run, and why. With `onFailure: 'block'` on its group or itself it then refuses, as any guard that
   * failed; one that was approved and is `modified` does so in any case. Unless it is only untrusted or disabled: a
   * workspace that is not trusted has no say in anything.
   */
  readonly inactive?: { readonly reason: InactiveReason; readonly message: string };
}

/** One matcher group of a file. */
export interface LoadedGroup {
  readonly event: AnyEvent;
  /** Matcher, dialect, order, deadline and policy of the group. */
  readonly options: MatcherOptions;
  readonly hooks: readonly LoadedHook[];
  readonly source: Source;
  /** Only for this agent; with `override`, in place of the global hooks of the event. */
  readonly agentId?: string;
  readonly override?: boolean;
}

/** A configuration, read and checked: `runner.use` registers it. */
export interface LoadedConfig {
  readonly groups: readonly LoadedGroup[];
  readonly diagnostics: readonly Diagnostic[];
  /** The directory whose hooks need somebody's approval. */
  readonly workspace?: string;
  /** How its dialect ranks an ask beside an allow, unless the runner is told otherwise. */
  readonly precedence?: 'allow-over-ask' | 'ask-over-allow';
  /** What was lent for its hooks when it was loaded. */
  readonly services?: HandlerServices | undefined;
  /**
   * Ends what the configuration keeps running for its hooks. The runner calls it when it no longer uses it. Never
   * rejects.
   */
  dispose?(): Promise<void>;
  /** Modules of the workspace that were not imported, because nobody has approved them. */
  readonly unimported?: readonly TrustSubject[];
  /** Every file that was read or looked for: what to watch for changes. */
  readonly files: readonly string[];
}
