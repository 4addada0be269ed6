/** Fires the hooks of one or more folders at the call of a host. */
import type { LoadedConfig, LoadedGroup, LoadedHook } from '../../config/loaded.js';
import { isOfWorkspace, isRemoved } from '../../config/loaded.js';
import type { Host } from '../../dialects/host/host.js';
import { namesOf } from '../../dialects/host/translate.js';
import { resolveDialect } from '../../dialects/index.js';
import { bridgeSources } from '../../dialects/sources.js';
import { rowOf } from '../../events/registry.js';
import type { AnyEvent, FireInput } from '../../events/types.js';
import { isAfterwards, protects } from '../../hosts/answer.js';
import type { Fired } from '../../hosts/bridge.js';
import type { HostCall } from '../../hosts/decode.js';
import { fireAny } from '../../runner/hook-runner.js';
import type { HookOutcome } from '../../runner/outcome.js';
import { Runner } from '../../runner/runner.js';
import { isOfKnownHook, missingHooks } from '../hooks/completeness.js';
import { untrustedText } from '../hooks/inactive.js';
import { type HookEntry, type LoadedHooks, loadHooks } from '../hooks/load.js';
import { exactPlace } from '../hooks/place.js';

export interface CallOptions {
  readonly host: Host;
  /** Also the hooks of Claude settings. */
  readonly claude: boolean;
  readonly user: boolean;
  readonly trustWorkspace?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Sees each fire, and may record it. */
  through?(runner: Runner): { readonly runner: Pick<Runner, 'fire'>; close(): Promise<void> };
}

/** The hooks of a folder that a host's calls are answered with. */
export async function loadForHost(
  cwd: string,
  { claude, user, trustWorkspace, host }: CallOptions,
): Promise<LoadedHooks> {
  const options = { 'no-user': !user, 'trust-workspace': trustWorkspace === true };
  const loaded = await loadHooks(cwd, options, {}, bridgeSources(claude));
  // The host runs these itself: a hook is to decide once.
  const twice = ({ source }: LoadedGroup): boolean =>
    host.runsClaudeSettings === true && isOfWorkspace(source) && source.file.includes('.claude');
  // What is gone the host does not run either.
  const isGone = ({ hooks }: LoadedGroup): boolean => hooks.some(isRemoved);
  const configs = loaded.configs.map((config) => ({
    ...config,
    groups: config.groups.filter((group) => isGone(group) || !twice(group)).map((group) => withKeys(group)),
  }));
  return { ...loaded, configs };
}

/** A command that two files name is one hook. */
function withKeys(group: LoadedGroup): LoadedGroup {
  const keyed = (hook: LoadedHook): LoadedHook => {
    const { hook: handler, condition } = hook;
    if (typeof handler !== 'object' || handler.type !== 'command') return hook;
    return { ...hook, key: JSON.stringify([handler.command, handler.args ?? null, condition ?? null]) };
  };
  return { ...group, hooks: group.hooks.map(keyed) };
}

/** Whether a hook of the event is set to block, or may be: of files that cannot be read nothing is known. */
export function mayBlock({ entries, diagnostics, configs }: LoadedHooks, event: AnyEvent): boolean {
  const isUnknown = diagnostics.some(
    (diagnostic) => diagnostic.failsOpen !== undefined && !isOfKnownHook(diagnostic),
  );
  const isWaiting = configs.some(({ unimported = [] }) => unimported.length > 0);
  return isUnknown || isWaiting || entries.some((entry) => blocksOn(entry, event));
}

function blocksOn({ group, hook: { hook, inactive } }: HookEntry, event: AnyEvent): boolean {
  const own = typeof hook === 'object' ? hook.onFailure : undefined;
  const isOn = group.event === event && inactive?.reason !== 'disabled';
  return isOn && (own ?? group.options.onFailure) === 'block';
}

/** The first failure of a hook that is set to block, where a failure refuses nothing any more. */
function failedGuard({ entries }: LoadedHooks, { event, failures }: HookOutcome): string | undefined {
  const guards = entries.filter((entry) => blocksOn(entry, event)).map(({ hook }) => hook.description);
  const failure = failures.find(({ name }) => guards.includes(name));
  return failure && `the hook ${failure.name} failed and is set to block: ${failure.message}`;
}

/** Why hooks that may be guards cannot run; undefined: all can. */
function problemOf(hooks: LoadedHooks, event: AnyEvent): string | undefined {
  const missing = missingHooks(hooks, event);
  if (missing.reason === undefined) return undefined;
  const [broken] = missing.diagnostics;
  if (broken !== undefined) return `${exactPlace(broken.source, hooks.cwd)}: ${broken.message}`;
  return (
    untrustedText(hooks, { cwd: hooks.cwd }) ?? 'hooks of this folder cannot run; hookline check says why'
  );
}

/** Rejects if hooks that may be guards cannot run: the bridge then refuses, or hides what a tool printed. */
export async function fireCall(
  hooks: LoadedHooks,
  event: AnyEvent,
  input: HostCall['input'],
  call: HostCall,
  options: CallOptions,
): Promise<Fired> {
  const own = call.spelling.events[event];
  const problem = problemOf(hooks, event);
  const hides = isAfterwards(event) && own?.can.includes('replace') === true && mayBlock(hooks, event);
  if (problem !== undefined && own !== undefined && (protects(event, own) || hides)) throw new Error(problem);
  const runner = new Runner({ cwd: hooks.cwd, onWarning: () => {} });
  const recorder = options.through?.(runner);
  try {
    // An event that can refuse has refused by now.
    for (const config of hooks.configs)
      runner.use(underBothNames(config, event, input, call), { onLostProtection: 'warn' });
    const fired = { ...input, host: options.host.name } as unknown as FireInput<AnyEvent>;
    const outcome = await fireAny((recorder?.runner ?? runner) as Runner, event, fired, {
      signal: options.signal,
    });
    await Promise.all(outcome.pending.map(({ completion }) => completion));
    const guard = hides ? failedGuard(hooks, outcome) : undefined;
    if (guard !== undefined) throw new Error(guard);
    const failed = outcome.failures.map(({ name, message }) => `the hook ${name} failed: ${message}`);
    return { outcome, problems: problem === undefined ? failed : [problem, ...failed] };
  } finally {
    await recorder?.close();
    await runner.dispose();
  }
}

/** A matcher may name a tool as we do, or as the host does. */
export function underBothNames(
  config: LoadedConfig,
  event: AnyEvent,
  input: HostCall['input'],
  call: HostCall,
): LoadedConfig {
  const field = rowOf(event).matcherField;
  const tools = field === 'tool_name' ? namesOf(call.spelling, input['tool_name']) : [];
  const names = [input, call.given].map((each) => each[field ?? '']).concat(call.given['toolName'], tools);
  const subjects = [...new Set(names)].filter((name) => typeof name === 'string');
  if (field === null || subjects.length < 2) return config;
  const groups = config.groups.flatMap((group): LoadedGroup[] => {
    const { matcher, ...rest } = group.options;
    if (group.event !== event || matcher === undefined || matcher === '' || matcher === '*') return [group];
    const matches = resolveDialect(rest.dialect).compileMatcher(matcher);
    return subjects.some((subject) => matches(subject)) ? [{ ...group, options: rest }] : [];
  });
  return { ...config, groups };
}
