/** The loaders of configuration files, each imported when it is first called. */
import type { LoadedConfig } from '../config/loaded.js';
import type { HookConfig } from '../config/types.js';
import type { ClaudeSettingsOptions } from './claude-code/settings/load.js';
import type { HooklineConfigOptions } from './hookline/file/load.js';
import type { MassgenConfig, MassgenOptions, MassgenSource } from './massgen/load.js';

export type { ClaudeSettingsOptions } from './claude-code/settings/load.js';
export type { HooklineConfigOptions } from './hookline/file/load.js';
export type { MassgenConfig, MassgenOptions, MassgenSource } from './massgen/load.js';
export type { MassgenAgent, MassgenSettings } from './massgen/types.js';

/**
 * Loads the hooks of Claude settings files, for `runner.use`.
 *
 * Rejects with a `HookError` for an unknown option, and if the administrator's file is broken: guards that are
 * mandatory cannot be skipped. All other problems are listed in `diagnostics`, and each disables only the entry it is
 * in.
 */
export async function loadClaudeSettings(options?: ClaudeSettingsOptions): Promise<LoadedConfig> {
  const { loadClaudeSettings: load } = await import('./claude-code/settings/load.js');
  return load(options);
}

/**
 * Loads the hooks of `hookline.yaml`, `.yml`, `.json` and `.mjs`, of the user and of the workspace, for `runner.use`.
 * Rejects only for an unknown option: problems of a file are listed in `diagnostics`, and a broken file disables
 * itself.
 */
export async function loadHooklineConfig(options?: HooklineConfigOptions): Promise<LoadedConfig> {
  const { loadHooklineConfig: load } = await import('./hookline/file/load.js');
  return load(options);
}

/**
 * Loads a MassGen configuration: its hooks, for `runner.use`, and its `settings`. Rejects only for an unknown option:
 * problems of the file are listed in `diagnostics`, with their position and what to do.
 */
export async function loadMassgenConfig(
  source: MassgenSource,
  options?: MassgenOptions,
): Promise<MassgenConfig> {
  const { loadMassgenConfig: load } = await import('./massgen/load.js');
  return load(source, options);
}

/**
 * Gives a configuration module its type: `export default defineHooks({ PreToolUse: [...] })`. Returns its argument,
 * never throws.
 */
export function defineHooks(hooks: HookConfig): HookConfig {
  return hooks;
}
