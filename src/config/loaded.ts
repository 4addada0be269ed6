/** A loaded configuration file: hook groups with their sources, and diagnostics. */
import type { AnyEvent } from '../events/types.js';
import type { HandlerServices } from '../handlers/kinds.js';
import type { Hook } from '../handlers/types.js';
import type { ApprovedHook } from './trust/store-types.js';
import type { TrustSubject } from './trust/subject.js';
import type { MatcherOptions } from './types.js';

/**
 * Where a hook was defined. `file` and `plugin` are named by the caller; `project` and `local` come with a workspace.
 */
export type Layer = 'managed' | 'user' | 'file' | 'project' | 'local' | 'plugin';

/** Whether something comes with a workspace and therefore needs approval. */
export function isOfWorkspace({ layer }: { readonly layer: Layer }): boolean {
  return layer === 'project' || layer === 'local';
}

/** A position in a file. Lines and columns start at 1. */
export interface Source {
  readonly layer: Layer;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Something to say about a configuration. `error`: a part of it has no effect. `info`: nothing is wrong, but it is good to
 * know.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'info';
  /** A stable code for programs, such as `unknown_event` or `missing_script`. */
  readonly code: string;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  readonly source: Source;
  /** What has to be repaired, if several diagnostics may have the same. */
  readonly cause?: string;
  /**
   * Set if a guard, a deny or ask rule, or a whole file has no effect. True: protection is lost, so do not start
   * unattended. False: the file comes with a workspace and nothing in it is approved, so it could not protect anyway.
   */
  readonly failsOpen?: boolean;
}

/** Marks an error as a loss of protection: the broken part may have been a guard. */
export function losesProtection(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'error' ? { ...diagnostic, failsOpen: true } : diagnostic;
}

/** Why a hook does not run. `removed`: it was approved and is gone, and a person has not accepted that. */
export type InactiveReason = 'disabled' | 'untrusted' | 'modified' | 'removed' | 'unsupported' | 'broken';

/** The number of fingerprint digits shown to people. */
export const SHORT_FINGERPRINT = 8;

/** The version of a hook that was approved. */
export interface ApprovedVersion {
  /** The fingerprint of the hook and its scripts at approval. */
  readonly fingerprint: string;
  /**
   * The same for every version of the hook. Absent if the whole workspace was approved: then no version was reviewed,
   * so none replaces another.
   */
  readonly identity?: string;
  /** Whether nobody has withdrawn it since. Absent if there is no store. Contract: never rejects. */
  stands?(): Promise<boolean>;
}

/** One hook of a file. */
export interface LoadedHook {
  /** The hook to register. With `inactive` it is only a description and never runs. */
  readonly hook: Hook;
  /** A description for people: its command line, its URL or its handler's name. */
  readonly description: string;
  readonly source: Source;
  /** The entry as written in the file; this is what an approval covers. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Variables that the workspace's settings set for it; approved with it. */
  readonly settingsEnv?: Readonly<Record<string, string>>;
  /** Files that affect what it does, in addition to those its command names. */
  readonly files?: readonly string[];
  /**
   * Whether it is still the approved version; called before every start. If not, it refuses what the event asks about,
   * like a failed guard. Contract: never throws or rejects.
   */
  readonly verify?: () => boolean | Promise<boolean>;
  /** The approved version of a workspace hook, which stays in force during a session. */
  readonly approval?: ApprovedVersion;
  /** It is gone from its file, and stays in force until its session ends or a person withdraws its approval. */
  readonly kept?: true;
  /**
   * Names of variables that a workspace command mentions and does not get, because they may hold secrets. Contract:
   * never rejects.
   */
  readonly withheld?: () => Promise<readonly string[]>;
  /** For a hook that is `removed`: what was approved. */
  readonly removed?: {
    readonly fingerprint: string;
    /** Whether its removal is still not accepted; called before it refuses. Contract: never rejects. */
    stands(): Promise<boolean>;
  };
  /** A file of the workspace switches it off. That does not count once the hook is approved. */
  readonly switchedOff?: { readonly message: string; readonly byChoice?: true };
  /** Hooks with the same key are duplicates: in each fire only the first one runs. */
  readonly key?: string;
  /** Whether it applies to this input. Default: always. Contract: pure, never throws. */
  readonly applies?: (input: Readonly<Record<string, unknown>>) => boolean;
  /** The agent, the skill or the command that it belongs to, and so what it applies to. Approved with it. */
  readonly within?: string;
  /** Runs once only, until the runner is disposed. */
  readonly once?: true;
  /** The condition as written, for explanations. */
  readonly condition?: string;
  /**
   * Why it does not run. With `onFailure: 'block'` on the hook or its group it then refuses, like any failed guard; an
   * approved hook that is `modified` or `removed` always refuses. An untrusted or disabled hook never refuses: an untrusted
   * workspace decides nothing.
   */
  readonly inactive?: {
    readonly reason: InactiveReason;
    readonly message: string;
    /** Its user has switched it off on purpose, so a check does not fail because of it. */
    readonly byChoice?: true;
  };
}

/** Whether it stands for a hook that was approved and is gone. */
export function isRemoved({ inactive }: LoadedHook): boolean {
  return inactive?.reason === 'removed';
}

/** One matcher group of a file. */
export interface LoadedGroup {
  readonly event: AnyEvent;
  /** Matcher, dialect, order, timeout and failure policy of the group. */
  readonly options: MatcherOptions;
  readonly hooks: readonly LoadedHook[];
  readonly source: Source;
  /** A matcher that cannot be used, as written: another one than none, which an approval may be of. */
  readonly badMatcher?: unknown;
  /** Only for this agent; with `override`, instead of the global hooks of the event. */
  readonly agentId?: string;
  readonly override?: boolean;
}

/** A loaded and checked configuration; register it with `runner.use`. */
export interface LoadedConfig {
  readonly groups: readonly LoadedGroup[];
  readonly diagnostics: readonly Diagnostic[];
  /** The directory whose hooks need approval. */
  readonly workspace?: string;
  /** How its dialect ranks `ask` against `allow`, unless the runner sets it. */
  readonly precedence?: 'allow-over-ask' | 'ask-over-allow';
  /** The services given for its hooks when it was loaded. */
  readonly services?: HandlerServices | undefined;
  /**
   * Stops what the configuration keeps running for its hooks. The runner calls it when it no longer needs the
   * configuration. Never rejects.
   */
  dispose?(): Promise<void>;
  /** Workspace modules that were not imported, because they are not approved. */
  readonly unimported?: readonly TrustSubject[];
  /** What was approved in its files and is no longer there as it was approved. */
  readonly missing?: readonly ApprovedHook[];
  /** Every file that was read or looked for; watch these for changes. */
  readonly files: readonly string[];
  /** Whose each of its files is. */
  readonly layers?: ReadonlyMap<string, Layer | 'skills'>;
}

/** Without the groups that stand for hooks that are gone. */
export function withoutStandIns(groups: readonly LoadedGroup[]): LoadedGroup[] {
  return groups.filter(({ hooks }) => !hooks.some(isRemoved));
}
