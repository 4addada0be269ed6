/** A matcher group, checked and compiled at registration so that a fire has nothing left to decide. */
import { HookError, show } from '../errors.js';
import { rowOf } from '../events/schemas.js';
import type { HookEvent } from '../events/types.js';
import type { CommandRuntime } from '../hooks/command.js';
import type { RunHook } from '../hooks/hook.js';
import type { Dialect, Matches } from './dialect.js';
import { compileHook } from './hook.js';
import { failurePolicy } from './policy.js';
import { timeoutMs } from './timeout.js';
import type { FailurePolicy, HookWarning, MatcherOptions } from './types.js';

/** One hook, ready to run. */
export interface CompiledHook {
  readonly run: RunHook;
  /** Undefined: the hook is called after what it was fired for, as in `PreToolUse:Bash`. */
  readonly name: string | undefined;
  readonly timeoutMs: number;
  readonly onFailure: FailurePolicy;
  /** Whether it reads the input as bytes. */
  readonly usesWire: boolean;
  readonly group: HookGroup;
}

export interface HookGroup {
  readonly event: HookEvent;
  readonly dialect: Dialect;
  /** Undefined: every subject matches. */
  readonly matches: Matches | undefined;
  readonly parallel: boolean;
  readonly protected: boolean;
  readonly hooks: readonly CompiledHook[];
}

/** What a group inherits where it does not say itself. */
export interface GroupDefaults {
  readonly timeoutMs: number;
  readonly onFailure: FailurePolicy;
  readonly commands: CommandRuntime;
  warn(warning: HookWarning): void;
}

export function compileGroup(
  event: HookEvent,
  options: MatcherOptions,
  hooks: readonly unknown[],
  dialect: Dialect,
  defaults: GroupDefaults,
): HookGroup {
  checkFlags(event, options);
  const inherited = {
    timeoutMs:
      options.timeout === undefined ? defaults.timeoutMs : timeoutMs(options.timeout, `${event} group`),
    onFailure: failurePolicy(options.onFailure, event) ?? defaults.onFailure,
  };
  const compiled: CompiledHook[] = [];
  const group: HookGroup = {
    event,
    dialect,
    matches: compileMatcher(event, options.matcher, dialect, defaults),
    parallel:
      options.parallel ??
      (options.sequential === undefined ? dialect.order === 'parallel' : !options.sequential),
    protected: options.protected === true,
    hooks: compiled,
  };
  for (const hook of hooks) {
    const { name, ownName, ...settled } = compileHook(event, hook, defaults.commands);
    compiled.push({ ...inherited, ...settled, name: name ?? options.name ?? ownName, group });
  }
  return Object.freeze(group);
}

function compileMatcher(
  event: HookEvent,
  matcher: unknown,
  dialect: Dialect,
  defaults: GroupDefaults,
): Matches | undefined {
  if (matcher === undefined || matcher === '') return undefined;
  if (typeof matcher !== 'string') {
    throw new HookError(
      'invalid_matcher',
      `The matcher of a ${event} group is ${show(matcher)}; give it as a string, or leave it out to match everything.`,
    );
  }
  if (rowOf(event).subject === null) {
    const message = `${event} has nothing to match: the matcher ${show(matcher)} is ignored and the hooks run on every ${event}.`;
    defaults.warn({ code: 'matcher_ignored', event, message });
    return undefined;
  }
  const matches = dialect.compileMatcher(matcher);
  const doubt = dialect.doubtMatcher(matcher);
  if (doubt !== undefined) {
    const message = `The matcher ${show(matcher)} of a ${event} group may never match: ${doubt}.`;
    defaults.warn({ code: 'matcher_doubtful', event, message });
  }
  return matches;
}

function checkFlags(event: HookEvent, options: MatcherOptions): void {
  if (options.sequential === true && options.parallel === true) {
    throw new HookError('invalid_option', `A ${event} group is both sequential and parallel; choose one.`);
  }
}
