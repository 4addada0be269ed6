/** Says what a run goes without: no guard is lost without a word, at the start or in the middle of a session. */
import type { Diagnostic, LoadedConfig, LoadedGroup, LoadedHook } from '../../config/loaded.js';
import { canPrevent } from '../../events/registry.js';
import type { Runner } from '../../runner/runner.js';
import { approveLine, inactiveHooks, untrustedText } from '../hooks/inactive.js';
import { type LoadedHooks, mapHooks } from '../hooks/load.js';
import { oneLine, shortPlace } from '../hooks/place.js';

export type Tell = (text: string) => void;

/** Told in words of their own, with what to do. */
const TOLD_APART: ReadonlySet<string> = new Set(['untrusted', 'modified', 'untrusted_permissions']);

/** Hooks that are left out although nothing is wrong with them. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set(['unsupported_event']);

/** A file that cannot be read is told by everybody who reads it. */
export function withoutTwins(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const place = ({ code, source }: Diagnostic): string =>
    [code, source.file, source.line, source.column].join(':');
  return [...new Map(diagnostics.map((diagnostic) => [place(diagnostic), diagnostic])).values()];
}

/** Errors always; with `verbose` everything else that does not count. */
export function tellDiagnostics(diagnostics: readonly Diagnostic[], verbose: boolean, tell: Tell): void {
  for (const { severity, code, message, source } of diagnostics) {
    if (severity === 'error' || ALWAYS_TOLD.has(code) || (verbose && !TOLD_APART.has(code)))
      tell(`${source.file}:${source.line}: ${message}`);
  }
}

/** Every hook that is written down and does not run, whoever or whatever keeps it from it. */
export function tellLeftOut(hooks: LoadedHooks, runner: Pick<Runner, 'warnings'>, tell: Tell): void {
  const untrusted = untrustedText(hooks, { cwd: process.cwd() });
  if (untrusted !== undefined) tell(untrusted);
  const others = inactiveHooks(hooks).filter(({ hook }) => !TOLD_APART.has(hook.inactive.reason));
  const off = others.filter(({ hook }) => hook.inactive.reason === 'disabled');
  for (const message of new Set(off.map(({ hook }) => hook.inactive.message))) {
    const silenced = off.filter(({ hook }) => hook.inactive.message === message);
    const events = [...new Set(silenced.map(({ group }) => group.event))].join(', ');
    tell(`Not run, ${message}: ${silenced.length === 1 ? '1 hook' : `${silenced.length} hooks`} (${events})`);
  }
  const told = errorPlaces(hooks);
  for (const { hook } of others.filter((each) => !off.includes(each))) {
    const { reason, message } = hook.inactive;
    const place = shortPlace(hook.source, hooks.cwd);
    if (!told.has(place)) tell(`${place}: not run, ${reason}: ${oneLine(hook.description)}: ${message}`);
  }
  // What only shows when hooks are registered.
  const known = new Set(inactiveHooks(hooks).map(({ hook }) => exact(hook)));
  for (const { code, message } of runner.warnings) {
    if (code === 'hook_inactive' && ![...known].some((place) => message.startsWith(place)))
      tell(`Not run: ${message}`);
  }
}

/** A hook that changes while the agent works refuses from then on; whoever sits there is told why, once. */
export function tellChanges(config: LoadedConfig, cwd: string, tell: Tell): LoadedConfig {
  return mapHooks(config, (hook, group) => watchHook(hook, group, cwd, tell));
}

function watchHook(hook: LoadedHook, { event }: LoadedGroup, cwd: string, tell: Tell): LoadedHook {
  const { verify, source, description } = hook;
  if (verify === undefined) return hook;
  let told = false;
  return {
    ...hook,
    verify: async () => {
      const holds = await verify();
      if (!(holds || told)) {
        const place = shortPlace(source, cwd);
        const so = canPrevent(event) ? 'it refuses' : 'it is not run';
        const todo = approveLine(cwd, { cwd: process.cwd() });
        tell(
          `${place}  ${event}  ${oneLine(description)}: it or its script has changed since it was approved, so ${so}. Look at it, then: ${todo}`,
        );
      }
      told = !holds;
      return holds;
    },
  };
}

function errorPlaces({ diagnostics, cwd }: LoadedHooks): ReadonlySet<string> {
  return new Set(
    diagnostics.filter(({ severity }) => severity === 'error').map(({ source }) => shortPlace(source, cwd)),
  );
}

const exact = ({ source: { file, line, column } }: LoadedHook): string => `${file}:${line}:${column}: `;
