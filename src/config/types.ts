/** The configuration as users write it: the Agent SDK's shape with our additions. */
import type { AnyEvent, HookEvent } from '../events/types.js';
import type { FailurePolicy, Hook } from '../handlers/types.js';
import type { Dialect, DialectName } from './dialect.js';

/** Removes a registration. Never throws; further calls do nothing. */
export type Disposer = () => void;

/** The options of a matcher group, without its hooks. */
export interface MatcherOptions {
  /** Which subjects (tool names, sources, …) the hooks apply to. Empty or absent: all. */
  readonly matcher?: string | undefined;
  /** The timeout of each hook in the group, in seconds; may be fractional. Default: the runner's. */
  readonly timeout?: number | undefined;
  /** Runs the hooks one after another; each gets the input as the previous one left it. Default: set by the dialect. */
  readonly sequential?: boolean | undefined;
  /** Runs the hooks all at once; their answers are merged in the order of the hooks. Default: set by the dialect. */
  readonly parallel?: boolean | undefined;
  readonly onFailure?: FailurePolicy | undefined;
  /** The name of the group in results and messages. */
  readonly name?: string | undefined;
  /** How its matcher, order and answers are interpreted. Default: `hookline`, also known as `spec07`. */
  readonly dialect?: Dialect | DialectName | undefined;
  /** A guard that an agent's `override` cannot disable. */
  readonly protected?: boolean | undefined;
  /**
   * Runs after all groups without this option, wherever they come from: for guards that check the final input. Its
   * hooks cannot rewrite that input.
   */
  readonly last?: boolean | undefined;
}

/** One matcher group: hooks and the subjects they apply to. */
export interface HookMatcher<E extends AnyEvent = HookEvent> extends MatcherOptions {
  /** Run, or merged, in this order. */
  readonly hooks: readonly Hook<E>[];
}

/** All groups by event. */
export type HookConfig = { readonly [E in AnyEvent]?: readonly HookMatcher<E>[] | undefined };

/** A warning about a registration that was accepted nevertheless. */
export interface HookWarning {
  /** For programs. The message is for people. */
  readonly code:
    | 'matcher_ignored'
    | 'matcher_doubtful'
    | 'hook_inactive'
    | 'unknown_option'
    | 'protection_lost';
  /** Absent if it is about a file. */
  readonly event?: AnyEvent;
  readonly message: string;
}
