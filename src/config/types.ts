/** The configuration as users write it: the Agent SDK's shape, with what we add to it. */
import type { SdkCallback } from '../events/sdk-callback.js';
import type { AnyEvent, HookEvent } from '../events/types.js';
import type { FailurePolicy, Hook } from '../handlers/types.js';
import type { Dialect } from './dialect.js';

/** Takes out what was registered. Never throws; the second call does nothing. */
export type Disposer = () => void;

/** Everything that can be said about a matcher group, apart from its hooks. */
export interface MatcherOptions {
  /** Which subjects (tool names, sources, …) the hooks are for. Empty or absent: all. */
  readonly matcher?: string | undefined;
  /** Seconds that each hook of the group may take; fractions are fine. Default: the runner's. */
  readonly timeout?: number | undefined;
  /** One after another, each sees the input as the one before has left it. Default: as the dialect has it. */
  readonly sequential?: boolean | undefined;
  /** All at once; their answers are folded in the order of the hooks. Default: as the dialect has it. */
  readonly parallel?: boolean | undefined;
  readonly onFailure?: FailurePolicy | undefined;
  /** How the group is called in results and messages. */
  readonly name?: string | undefined;
  /** How its matcher, its order and its answers are read. Default: `hookline`, also known as `spec07`. */
  readonly dialect?: Dialect | 'hookline' | 'spec07' | 'claude-code' | 'massgen' | undefined;
  /** A guard that an agent's `override` cannot switch off. */
  readonly protected?: boolean | undefined;
  /**
   * Runs after all groups that do not say so, wherever they come from: for guards that judge the input as it will be
   * used. Its hooks cannot rewrite that input.
   */
  readonly last?: boolean | undefined;
}

/** One matcher group: some hooks and whom they are for. */
export interface HookMatcher<E extends AnyEvent = HookEvent> extends MatcherOptions {
  /** In this order they are run, or folded. */
  readonly hooks: readonly Hook<E>[];
}

/** Every group of every event. */
export type HookConfig = { readonly [E in AnyEvent]?: readonly HookMatcher<E>[] | undefined };

/** What is worth knowing about a registration that was accepted all the same. */
export interface HookWarning {
  /** For programs: the message is for people. */
  readonly code: 'matcher_ignored' | 'matcher_doubtful' | 'hook_inactive' | 'unknown_option';
  readonly event: AnyEvent;
  readonly message: string;
}

/** A configuration declared with the Agent SDK's own types. */
export type SdkHookConfig<C> = {
  readonly [E in AnyEvent]?: readonly (MatcherOptions & {
    readonly hooks: readonly (C & SdkCallback<C>)[];
  })[];
};
