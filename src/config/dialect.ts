/** The interface to an ecosystem's conventions for matcher groups. */
import type { AnyEvent } from '../events/types.js';
import type { Completion } from '../handlers/completion.js';
import type { HookRun } from '../handlers/hook.js';
import type { PermissionDecision, Verdict } from '../handlers/verdict.js';

/** The dialects that can be chosen by name; `dialects/index.ts` maps each name to its dialect. */
export const DIALECT_NAMES = ['hookline', 'claude-code', 'massgen'] as const;
/** `spec07` is an alias of `hookline`, after the specification that it follows. */
export type DialectName = (typeof DIALECT_NAMES)[number] | 'spec07';

/** Contract: pure, never throws, and takes microseconds for any subject. */
export type Matches = (subject: string) => boolean;

/**
 * How one ecosystem writes matchers, orders hooks and reads answers. Its functions never throw, except
 * `compileMatcher`.
 */
export interface Dialect {
  readonly name: string;
  /**
   * All events that its ecosystem has, by our name: `{ PreToolUse: 'BeforeTool' }`. Its files and answers use these names,
   * and its commands get them as `hook_event_name`; callbacks, outcomes and messages use ours. Default: the same names.
   */
  readonly eventNames?: Readonly<Record<string, string>>;
  /** The default order of hooks: one after another, or all at once, also across groups. */
  readonly order: 'sequential' | 'parallel';
  /** What an `async: true` answer means: whether the fire waits for the rest, and the unit of `asyncTimeout`. */
  readonly async: { readonly waits: boolean; readonly unitMs: number; readonly defaultMs: number };
  /** Compiles a matcher once; throws a HookError with code `invalid_matcher` for an invalid one. */
  compileMatcher(pattern: string): Matches;
  /** Why a valid matcher is probably a mistake, as the continuation of "The matcher". */
  lintMatcher(pattern: string): string | undefined;
  /** The input in the form its commands expect. Default: as callbacks get it. Contract: pure. */
  encode?(event: AnyEvent, input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Additional variables that its commands expect. */
  environment?(run: HookRun): Readonly<Record<string, string>>;
  /** Whether this decision of one of its hooks makes its remaining hooks unnecessary. */
  endsFire?(event: AnyEvent, decision: PermissionDecision | undefined): boolean;
  /** Whether the next hook reads a rewritten input merged over the old one. Default: the rewritten input alone. */
  mergesForNext?(event: AnyEvent): boolean;
  /** The default timeout of a hook for this event, in seconds. Default: the runner's. */
  timeout?(event: AnyEvent): number | undefined;
  /** Whether a command without a name is named by its command line; otherwise it is named after its event. */
  readonly namesCommands: boolean;
  /** Interprets how a run ended. Contract: pure, never throws; an answer that cannot be read is a failure. */
  interpret(event: AnyEvent, completion: Completion, input: Readonly<Record<string, unknown>>): Verdict;
}
