/** The configuration as users write it: the Agent SDK's shape, with what we add to it. */
import type { SdkCallback } from '../events/sdk-callback.js';
import type { HookCallback, HookEvent } from '../events/types.js';
import type { Command } from '../hooks/command.js';
import type { RunHook } from '../hooks/hook.js';
import type { HttpOptions } from '../hooks/http-options.js';
import type { Dialect } from './dialect.js';

/** What happens when a hook has no valid answer: go on as if it were not there, or refuse. */
export type FailurePolicy = 'continue' | 'block';

/** A callback with options of its own. */
export interface CallbackHook<E extends HookEvent = HookEvent> {
  readonly type: 'callback';
  readonly callback: HookCallback<E>;
  readonly name?: string | undefined;
  /** Seconds; fractions are fine. */
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
}

/** A program with its options. `command()` writes one down. */
export interface CommandHook extends Command {
  readonly type: 'command';
  readonly name?: string | undefined;
  /** Seconds; fractions are fine. */
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
}

/** An address that is sent the input and answers as a command would. */
export interface HttpHook extends HttpOptions {
  readonly type: 'http';
  readonly name?: string | undefined;
  /** Seconds; fractions are fine. */
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
}

/** A hook that a loader has made ready with what it was given: a model, an MCP client, a python interpreter. */
export interface PreparedHook {
  readonly type: 'prepared';
  readonly run: RunHook;
  readonly name?: string | undefined;
  readonly timeout?: number | undefined;
  readonly onFailure?: FailurePolicy | undefined;
}

/** Anything that can be registered as a hook for an event. */
export type Hook<E extends HookEvent = HookEvent> =
  | HookCallback<E>
  | CallbackHook<E>
  | CommandHook
  | HttpHook
  | PreparedHook;

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
  /** How its matcher, its order and its answers are read. Default: `spec07`. */
  readonly dialect?: Dialect | 'spec07' | 'claude-code' | 'massgen' | undefined;
  /** A guard that an agent's `override` cannot switch off. */
  readonly protected?: boolean | undefined;
  /**
   * Runs after all groups that do not say so, wherever they come from: for guards that judge the input as it will be
   * used. Its hooks cannot rewrite that input.
   */
  readonly last?: boolean | undefined;
}

/** One matcher group: some hooks and whom they are for. */
export interface HookMatcher<E extends HookEvent = HookEvent> extends MatcherOptions {
  /** In this order they are run, or folded. */
  readonly hooks: readonly Hook<E>[];
}

/** Every group of every event. */
export type HookConfig = { readonly [E in HookEvent]?: readonly HookMatcher<E>[] | undefined };

/** What is worth knowing about a registration that was accepted all the same. */
export interface HookWarning {
  /** For programs: the message is for people. */
  readonly code: 'matcher_ignored' | 'matcher_doubtful' | 'hook_inactive' | 'unknown_option';
  readonly event: HookEvent;
  readonly message: string;
}

/** A configuration declared with the Agent SDK's own types. */
export type SdkHookConfig<C> = {
  readonly [E in HookEvent]?: readonly (MatcherOptions & {
    readonly hooks: readonly (C & SdkCallback<C>)[];
  })[];
};
