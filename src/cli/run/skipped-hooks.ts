/** Reports which hooks a run leaves out, at the start and during a session, so that no guard is lost silently. */
import type { Diagnostic, LoadedConfig, LoadedGroup, LoadedHook } from '../../config/loaded.js';
import { canPrevent } from '../../events/registry.js';
import type { Runner } from '../../runner/runner.js';
import { approveLine, inactiveHooks, removedText, untrustedText } from '../hooks/inactive.js';
import { type LoadedHooks, mapHooks } from '../hooks/load.js';
import { exactPlace, oneLine, shortPlace } from '../hooks/place.js';

export type Report = (text: string) => void;

/** Reported separately, with what to do. */
const REPORTED_SEPARATELY: ReadonlySet<string> = new Set([
  ...['untrusted', 'modified', 'removed', 'untrusted_permissions'],
]);

/** Reported although nothing is wrong with the hook itself. */
const ALWAYS_REPORTED: ReadonlySet<string> = new Set([
  'unsupported_event',
  'plugin_not_installed',
  'not_read_here',
  'misspelt_key',
  'stays_on',
  'removed_rules',
  'removed_watcher',
]);

/** Several loaders may report the same unreadable file. */
export function withoutDuplicates(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const place = ({ code, source }: Diagnostic): string =>
    [code, source.file, source.line, source.column].join(':');
  return [...new Map(diagnostics.map((diagnostic) => [place(diagnostic), diagnostic])).values()];
}

/** Reports errors always, and other diagnostics with `verbose`. */
export function reportDiagnostics(
  diagnostics: readonly Diagnostic[],
  verbose: boolean,
  cwd: string,
  report: Report,
): void {
  for (const { severity, code, message, source } of diagnostics) {
    if (severity === 'error' || ALWAYS_REPORTED.has(code) || (verbose && !REPORTED_SEPARATELY.has(code)))
      report(`${exactPlace(source, cwd)}: ${message}`);
  }
}

/** Reports every hook that is defined but does not run, whatever the reason. */
export function reportSkipped(hooks: LoadedHooks, runner: Pick<Runner, 'warnings'>, report: Report): void {
  const untrusted = untrustedText(hooks, { cwd: process.cwd() });
  if (untrusted !== undefined) report(untrusted);
  const gone = removedText(hooks, { cwd: process.cwd() });
  if (gone !== undefined) report(gone);
  const others = inactiveHooks(hooks).filter(({ hook }) => !REPORTED_SEPARATELY.has(hook.inactive.reason));
  const off = others.filter(({ hook }) => hook.inactive.reason === 'disabled');
  for (const message of new Set(off.map(({ hook }) => hook.inactive.message))) {
    const disabled = off.filter(({ hook }) => hook.inactive.message === message);
    const events = [...new Set(disabled.map(({ group }) => group.event))].join(', ');
    report(
      `Not run, ${message}: ${disabled.length === 1 ? '1 hook' : `${disabled.length} hooks`} (${events})`,
    );
  }
  const reported = errorPlaces(hooks);
  for (const { hook } of others.filter((each) => !off.includes(each))) {
    const { reason, message } = hook.inactive;
    const place = shortPlace(hook.source, hooks.cwd);
    if (!reported.has(place))
      report(`${place}: not run, ${reason}: ${oneLine(hook.description)}: ${message}`);
  }
  // Problems that only appear when hooks are registered.
  const known = new Set(inactiveHooks(hooks).map(({ hook }) => exact(hook)));
  for (const { code, message } of runner.warnings) {
    if (code === 'hook_inactive' && ![...known].some((place) => message.startsWith(place)))
      report(`Not run: ${message}`);
  }
}

/** A hook that changes during a session refuses from then on; reports the reason to the user once. */
export function reportChanges(config: LoadedConfig, cwd: string, report: Report): LoadedConfig {
  return mapHooks(config, (hook, group) => watchHook(hook, group, cwd, report));
}

function watchHook(hook: LoadedHook, { event }: LoadedGroup, cwd: string, report: Report): LoadedHook {
  const { verify, source, description } = hook;
  if (verify === undefined) return hook;
  let reported = false;
  return {
    ...hook,
    verify: async () => {
      const holds = await verify();
      if (!(holds || reported)) {
        const place = shortPlace(source, cwd);
        const effect = canPrevent(event) ? 'it refuses' : 'it is not run';
        const todo = approveLine(cwd, { cwd: process.cwd() });
        report(
          `${place}  ${event}  ${oneLine(description)}: the hook or its script has changed since it was approved, so ${effect}. Look at it, then: ${todo}`,
        );
      }
      reported = !holds;
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
