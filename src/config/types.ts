/** The configuration as users write it: the Agent SDK's shape, with what we add to it. */
import type { HookCallback, HookEvent } from '../events/types.js';
import type { Command } from '../hooks/command.js';
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

/** Anything that can be registered as a hook for an event. */
export type Hook<E extends HookEvent = HookEvent> = HookCallback<E> | CallbackHook<E> | CommandHook;

/** Everything that can be said about a matcher group, apart from its hooks. */
export interface MatcherOptions {
  /** Which subjects (tool names, sources, …) the hooks are for. Empty or absent: all. */
  readonly matcher?: string | undefined;
  /** Seconds that each hook of the group may take; fractions are fine. Default: the runner's. */
  readonly timeout?: number | undefined;
  readonly sequential?: boolean | undefined;
  readonly parallel?: boolean | undefined;
  readonly onFailure?: FailurePolicy | undefined;
  /** How the group is called in results and messages. */
  readonly name?: string | undefined;
  readonly dialect?: Dialect | 'spec07' | undefined;
  /** A guard that an agent's `override` cannot switch off. */
  readonly protected?: boolean | undefined;
}

/** One matcher group: some hooks and whom they are for. */
export interface HookMatcher<E extends HookEvent = HookEvent> extends MatcherOptions {
  readonly hooks: readonly Hook<E>[];
}

/** Every group of every event. */
export type HookConfig = { readonly [E in HookEvent]?: readonly HookMatcher<E>[] | undefined };

/** What is worth knowing about a registration that was accepted all the same. */
export interface HookWarning {
  readonly code: 'matcher_ignored' | 'matcher_doubtful';
  readonly event: HookEvent;
  readonly message: string;
}

/**
 * A callback declared with the Agent SDK's own `HookCallback`. That type says "any event's answer", so it cannot be
 * checked against one event; it is let through where it is a declared type, told by its accepting the answers of
 * several events. A function written in place has the type of what it returns and is checked strictly.
 */
export type SdkCallback<C> = C extends (
  input: never,
  toolUseID: never,
  context: never,
) => Promise<infer Answer>
  ? [AnswerOf<'PreToolUse'> | AnswerOf<'PostToolUse'> | AnswerOf<'SessionStart'>] extends [Answer]
    ? [AnswerOf<'no event at all'>] extends [Answer]
      ? AnswerDoesNotFitTheEvent
      : C
    : AnswerDoesNotFitTheEvent
  : AnswerDoesNotFitTheEvent;

/** Nothing has this type; its name is what the compiler prints. */
interface AnswerDoesNotFitTheEvent {
  readonly 'the answer does not fit the event': never;
}

interface AnswerOf<Name extends string> {
  hookSpecificOutput: { hookEventName: Name };
}

/** A configuration declared with the Agent SDK's own types. */
export type SdkHookConfig<C> = {
  readonly [E in HookEvent]?: readonly (MatcherOptions & {
    readonly hooks: readonly (C & SdkCallback<C>)[];
  })[];
};
