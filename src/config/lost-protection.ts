/** Decides what happens to a configuration in which protection is lost: the same for code and for `hookline run`. */
import { HookError, show } from '../base/errors.js';
import type { Diagnostic, LoadedConfig } from './loaded.js';

/** What `runner.use` does with a configuration in which protection is lost. */
export type OnLostProtection = 'refuse' | 'warn';

/** The same configuration for a caller that has accepted what is lost. */
export function withoutLost<Config extends LoadedConfig>(config: Config): Config {
  return { ...config, diagnostics: config.diagnostics.filter(({ failsOpen }) => failsOpen !== true) };
}

/** The diagnostics of guards, rules and files that should protect and have no effect. */
export function lostProtection(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ failsOpen }) => failsOpen === true);
}

export function withPlace({ source: { file, line, column }, message }: Diagnostic): string {
  return `${file}:${line}:${column}: ${message}`;
}

/**
 * Throws a `HookError` with code `invalid_config` that names every place, unless the caller chose `warn`. Returns what
 * is lost.
 */
export function refuseLostProtection(
  diagnostics: readonly Diagnostic[],
  choice: OnLostProtection = 'refuse',
  advice = "Repair this. To go on without these guards, use { onLostProtection: 'warn' }.",
): Diagnostic[] {
  if (choice !== 'refuse' && choice !== 'warn')
    throw new HookError('invalid_option', `onLostProtection is ${show(choice)}; use 'refuse' or 'warn'.`);
  const lost = lostProtection(diagnostics);
  if (lost.length === 0 || choice === 'warn') return lost;
  const lines = [...new Set(lost.map(withPlace))].map((line) => `\n  ${line}`).join('');
  throw new HookError(
    'invalid_config',
    `Guards or rules in these files have no effect, so the configuration is not used:${lines}\n${advice}`,
  );
}
