/** The port through which a matcher group speaks the language of the ecosystem it comes from. */
import type { AnyEvent } from '../events/types.js';
import type { Completion } from '../handlers/completion.js';
import type { HookRun } from '../handlers/hook.js';
import type { PermissionDecision, Verdict } from '../handlers/verdict.js';

/** Contract: pure, never throws, and answers in microseconds whatever the subject is. */
export type Matches = (subject: string) => boolean;

/**
 * How one ecosystem writes matchers, orders hooks and reads answers. Its functions throw nothing, but for
 * `compileMatcher`.
 */
export interface Dialect {
  readonly name: string;
  /** How hooks relate that do not choose: one after another, or all at once, also across groups. */
  readonly order: 'sequential' | 'parallel';
  /** What an `async: true` answer means: whether the fire waits for the rest, and the unit of `asyncTimeout`. */
  readonly async: { readonly waits: boolean; readonly unitMs: number; readonly defaultMs: number };
  /** Compiles a matcher once; throws a HookError with code `invalid_matcher` for one that cannot be. */
  compileMatcher(pattern: string): Matches;
  /** Why a valid matcher is probably not what its author meant: goes on after "The matcher". */
  lintMatcher(pattern: string): string | undefined;
  /** The input as its commands expect it. Default: as callbacks get it. Contract: pure. */
  encode?(event: AnyEvent, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Further variables that its commands expect. */
  environment?(run: HookRun): Readonly<Record<string, string>>;
  /** Whether, after this decision of one of its hooks, its further hooks need not be asked. */
  endsFire?(event: AnyEvent, decision: PermissionDecision | undefined): boolean;
  /** Seconds that a hook of this event may take where nothing else is said. Default: the runner's. */
  timeout?(event: AnyEvent): number | undefined;
  /** Whether a command without a name is called by its line; else after what it was fired for. */
  readonly namesCommands: boolean;
  /** Reads how a run ended. Contract: pure, never throws; what cannot be read is a failure. */
  interpret(event: AnyEvent, completion: Completion, input: Readonly<Record<string, unknown>>): Verdict;
}
