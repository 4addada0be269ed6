/** Checks and compiles a matcher group at registration, so that a fire has nothing left to decide. */
import pTimeout from 'p-timeout';
import { HookError, messageOf, show } from '../../base/errors.js';
import { suggest } from '../../base/text/suggest.js';
import type { Dialect, Matches } from '../../config/dialect.js';
import type { LoadedHook } from '../../config/loaded.js';
import type { HookWarning, MatcherOptions } from '../../config/types.js';
import { explainingFailure } from '../../config/withheld-text.js';
import { rowOf } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { CommandRuntime } from '../../handlers/command/command.js';
import { failurePolicy, timeoutMs } from '../../handlers/common-options.js';
import type { Completion } from '../../handlers/completion.js';
import type { RunHook, StartCheck } from '../../handlers/hook.js';
import type { HandlerServices } from '../../handlers/kinds.js';
import type { AnyCallback, FailurePolicy } from '../../handlers/types.js';
import { type CompileContext, compileHook, type SettledHook } from './hook.js';

/** One hook, ready to run. */
export interface CompiledHook {
  /** Its type as written: `callback`, `command`, … */
  readonly kind: string;
  /** A function that is called directly; otherwise `run` is set. */
  readonly callback: AnyCallback | undefined;
  readonly run: RunHook | undefined;
  /** Called before it starts; undefined if there is nothing to check or the handler checks itself. */
  readonly check: StartCheck | undefined;
  /** Undefined: the hook is named after its event and matched value, as in `PreToolUse:Bash`. */
  readonly name: string | undefined;
  readonly timeoutMs: number;
  readonly onFailure: FailurePolicy;
  /** What people who watch see while it runs. */
  readonly statusMessage?: string | undefined;
  /** Hooks with the same key are duplicates: within a fire only the first one runs. */
  readonly key: string | undefined;
  /** Whether it applies to an input; undefined: always. */
  readonly applies: LoadedHook['applies'];
  /** The loaded hook, if it comes from a file. */
  readonly origin: LoadedHook | undefined;
  readonly group: HookGroup;
}

export interface HookGroup {
  readonly event: AnyEvent;
  readonly dialect: Dialect;
  /** Undefined: every value matches. */
  readonly matches: Matches | undefined;
  readonly parallel: boolean;
  readonly protected: boolean;
  readonly last: boolean;
  readonly matcher: string | undefined;
  readonly hooks: readonly CompiledHook[];
  /** Hooks of a file that will not run. */
  readonly inactive: readonly LoadedHook[];
}

/** What a group inherits if it does not set it. */
export interface GroupDefaults {
  readonly timeoutMs: number;
  readonly onFailure: FailurePolicy;
  readonly commands: CommandRuntime;
  /** Services of the application that hooks can use. */
  readonly services: HandlerServices;
  warn(warning: HookWarning): void;
}

const KNOWN_OPTIONS: readonly string[] = [
  'matcher',
  'timeout',
  'sequential',
  'parallel',
  'onFailure',
  'name',
  'dialect',
  'protected',
  'last',
  'override',
];

/** Options that make a guard stricter: a misspelt one is refused, because the guard would be weaker than intended. */
const PROTECTING = ['onFailure', 'protected', 'last'];

function reportUnknownOptions(event: AnyEvent, options: MatcherOptions, { warn }: GroupDefaults): void {
  for (const key of Object.keys(options)) {
    if (KNOWN_OPTIONS.includes(key)) continue;
    const meant = suggest(key, PROTECTING);
    if (meant !== undefined)
      throw new HookError(
        'invalid_option',
        `A ${event} group has no option ${show(key)}. Did you mean ${show(meant)}?`,
      );
    const message = `A ${event} group has no option ${show(key)}; it is ignored.`;
    warn({ code: 'unknown_option', event, message });
  }
}

/** One hook as registered: by code, or from a file with more information about it. */
export interface HookEntry {
  readonly hook: unknown;
  readonly origin?: LoadedHook;
}

export function compileGroup(
  event: AnyEvent,
  options: MatcherOptions,
  entries: readonly HookEntry[],
  dialect: Dialect,
  defaults: GroupDefaults,
): HookGroup {
  checkFlags(event, options);
  reportUnknownOptions(event, options, defaults);
  const seconds = options.timeout === undefined ? dialect.timeout?.(event) : options.timeout;
  const inherited = {
    timeoutMs: seconds === undefined ? defaults.timeoutMs : timeoutMs(seconds, `${event} group`),
    onFailure: failurePolicy(options.onFailure, event) ?? defaults.onFailure,
  };
  const compiled: CompiledHook[] = [];
  const inactive: LoadedHook[] = [];
  const group: HookGroup = {
    event,
    dialect,
    matches: compileMatcher(event, options.matcher, dialect, defaults),
    parallel:
      options.parallel ??
      (options.sequential === undefined ? dialect.order === 'parallel' : !options.sequential),
    protected: options.protected === true,
    last: options.last === true,
    matcher: options.matcher,
    hooks: compiled,
    inactive,
  };
  const { commands, services } = defaults;
  const context = { commands, services, dialect, onFailure: inherited.onFailure };
  for (const { hook, origin } of entries) {
    const settled = settle(event, hook, origin, context);
    if (settled.origin?.inactive !== undefined) inactive.push(settled.origin);
    if (settled.hook === undefined) continue;
    const { name, ownName, ready, check, kind, kindTimeoutMs, ...rest } = settled.hook;
    const ofKind = options.timeout === undefined && kindTimeoutMs !== undefined;
    const { key, applies } = origin ?? {};
    // What refuses in the place of a hook refuses every time.
    const isOnce = settled.origin?.once === true && settled.origin.inactive === undefined;
    const only = isOnce && 'run' in ready ? onlyOnce(ready.run, applies) : undefined;
    compiled.push({
      ...inherited,
      ...(ofKind && { timeoutMs: kindTimeoutMs }),
      ...rest,
      kind: writtenKind(settled.origin) ?? kind,
      callback: 'callback' in ready ? ready.callback : undefined,
      run: 'run' in ready ? ready.run : undefined,
      check,
      key,
      applies,
      ...only,
      origin: settled.origin,
      group,
      name: name ?? options.name ?? ownName,
    });
  }
  return Object.freeze(group);
}

/** From its first start on it no longer applies. */
function onlyOnce(run: RunHook, applies: LoadedHook['applies']): Pick<CompiledHook, 'run' | 'applies'> {
  let hasStarted = false;
  return {
    applies: (input) => !hasStarted && (applies?.(input) ?? true),
    run: (...given) => {
      hasStarted = true;
      return run(...given);
    },
  };
}

/** The result of an entry: ready to run, a refusal in its place, or nothing. Mistakes in a file never throw. */
function settle(
  event: AnyEvent,
  hook: unknown,
  origin: LoadedHook | undefined,
  context: CompileContext,
): { readonly hook?: SettledHook; readonly origin?: LoadedHook } {
  if (origin === undefined) return { hook: compileHook(event, hook, context) };
  let known = origin;
  if (known.inactive === undefined) {
    try {
      const settled = compileHook(event, hook, { ...context, check: trustCheck(known) });
      const { ready } = settled;
      const explained = 'run' in ready ? { run: explainingFailure(ready.run, known) } : ready;
      return { hook: { ...settled, ready: explained }, origin: known };
    } catch (error) {
      known = { ...known, inactive: { reason: 'broken', message: messageOf(error) } };
    }
  }
  const { reason, message } = known.inactive ?? { reason: 'broken', message: '' };
  if (reason === 'modified') return { hook: refusing(known), origin: known };
  if (reason === 'removed') return { hook: refusingUntilAccepted(known), origin: known };
  // A broken guard still refuses. One that is not approved yet, or is disabled, has no effect.
  const speaks = reason === 'broken' || reason === 'unsupported';
  const policy = (hook as { onFailure?: unknown }).onFailure ?? context.onFailure;
  if (!speaks || policy !== 'block') return { origin: known };
  const run: RunHook = () => ({ kind: 'failed-to-start', message });
  return { hook: { kind: 'prepared', ready: { run }, onFailure: 'block', ...nameOf(hook) }, origin: known };
}

const NO_DECISION: Completion = { kind: 'returned', output: undefined };

/** A refusal in a hook's place keeps the hook's name. */
function nameOf(hook: unknown): { readonly name?: string } {
  const { name } = hook as { readonly name?: unknown };
  return typeof name === 'string' ? { name } : {};
}

/** An approval is verified again right before the hook starts. */
function trustCheck(origin: LoadedHook): StartCheck | undefined {
  const { verify, kept, approval } = origin;
  const stands = kept === true ? approval?.stands : undefined;
  if (verify === undefined && stands === undefined) return undefined;
  const refusal = refusalOf(origin);
  return async (run) => {
    if ((await stands?.()) === false) return NO_DECISION;
    const holds = verify?.() ?? true;
    // If the file system does not answer, nothing is verified.
    const still =
      typeof holds === 'boolean'
        ? holds
        : await pTimeout(holds, { milliseconds: run.timeoutMs, fallback: () => false });
    return still ? undefined : refusal;
  };
}

/** Replaces a hook that is no longer what was approved: changing a byte of its script does not disable a guard. */
function refusing(origin: LoadedHook): SettledHook {
  const refusal = refusalOf(origin);
  return { kind: 'prepared', ready: { run: () => refusal }, onFailure: 'block' };
}

/** Stands for an approved hook that is gone. A person may accept that while it is in use. */
function refusingUntilAccepted({ inactive, removed }: LoadedHook): SettledHook {
  const message = inactive?.message ?? '';
  const run: RunHook = async () =>
    (await removed?.stands()) === false ? NO_DECISION : { kind: 'failed-to-start', message, refuses: true };
  return { kind: 'prepared', ready: { run }, onFailure: 'block' };
}

function refusalOf({ description, source }: LoadedHook): Completion {
  const message = `${description} (${source.file}:${source.line}) or its script has changed since it was approved. Look at it and approve it again: hookline trust approve`;
  return { kind: 'failed-to-start', message, refuses: true };
}

/** A loader may have prepared the hook itself; the written form says more. */
function writtenKind(origin: LoadedHook | undefined): string | undefined {
  const type = origin?.written?.['type'];
  return typeof type === 'string' ? type : undefined;
}

function compileMatcher(
  event: AnyEvent,
  matcher: unknown,
  dialect: Dialect,
  defaults: GroupDefaults,
): Matches | undefined {
  if (matcher === undefined || matcher === '' || matcher === '*') return undefined;
  if (typeof matcher !== 'string') {
    throw new HookError(
      'invalid_matcher',
      `The matcher of a ${event} group is ${show(matcher)}; give it as a string, or leave it out to match everything.`,
    );
  }
  if (rowOf(event).matcherField === null) {
    const message = `${event} has nothing to match: the matcher ${show(matcher)} is ignored and the hooks run on every ${event}.`;
    defaults.warn({ code: 'matcher_ignored', event, message });
    return undefined;
  }
  const matches = dialect.compileMatcher(matcher);
  const doubt = dialect.lintMatcher(matcher);
  if (doubt !== undefined) {
    const message = `The matcher ${show(matcher)} of a ${event} group ${doubt}.`;
    defaults.warn({ code: 'matcher_doubtful', event, message });
  }
  return matches;
}

/** A guard must not be switched off because a flag was given as a string. */
function checkFlags(event: AnyEvent, options: MatcherOptions & { readonly override?: unknown }): void {
  for (const flag of ['sequential', 'parallel', 'protected', 'last', 'override'] as const) {
    const value: unknown = options[flag];
    if (value === undefined || typeof value === 'boolean') continue;
    throw new HookError(
      'invalid_option',
      `${flag} of a ${event} group is ${show(value)}; use true or false.`,
    );
  }
  if (options.sequential === true && options.parallel === true) {
    throw new HookError('invalid_option', `A ${event} group is both sequential and parallel; choose one.`);
  }
}
