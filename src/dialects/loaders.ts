/** The loaders of configuration files, each loaded itself when it is first called. */
import type { LoadedConfig } from '../config/loaded.js';
import type { HookConfig } from '../config/types.js';
import type { ClaudeSettingsOptions } from './claude-code/settings/load.js';
import type { MassgenConfig, MassgenOptions, MassgenSource } from './massgen/load.js';
import type { HooklineConfigOptions } from './spec07/file/load.js';

export type { ClaudeSettingsOptions } from './claude-code/settings/load.js';
export type { MassgenConfig, MassgenOptions, MassgenSource } from './massgen/load.js';
export type { MassgenAgent, MassgenSettings } from './massgen/settings.js';
export type { HooklineConfigOptions } from './spec07/file/load.js';

/**
 * The hooks of Claude settings files, for `runner.use`.
 *
 * Rejects with a `HookError` for an option that does not exist, and when the administrator's file is broken: guards
 * that must be there cannot be left out. Everything else that is wrong is in `diagnostics`, and voids only itself.
 */
export async function loadClaudeSettings(options?: ClaudeSettingsOptions): Promise<LoadedConfig> {
  const { loadClaudeSettings: load } = await import('./claude-code/settings/load.js');
  return load(options);
}

/**
 * The hooks of `hookline.yaml`, `.yml`, `.json` and `.mjs`, of the user and of the workspace, for `runner.use`.
 * Rejects only for an option that does not exist: what is wrong with a file is in `diagnostics`, and a broken file
 * disables itself.
 */
export async function loadHooklineConfig(options?: HooklineConfigOptions): Promise<LoadedConfig> {
  const { loadHooklineConfig: load } = await import('./spec07/file/load.js');
  return load(options);
}

/**
 * A MassGen configuration: its hooks, for `runner.use`, and its `settings`. Rejects only for an unknown option: what is
 * wrong with the file is in `diagnostics`, with its place and what to do.
 */
export async function loadMassgenConfig(
  source: MassgenSource,
  options?: MassgenOptions,
): Promise<MassgenConfig> {
  const { loadMassgenConfig: load } = await import('./massgen/load.js');
  return load(source, options);
}

/**
 * Types a configuration module: `export default defineHooks({ PreToolUse: [...] })`. Returns what it is given, never
 * throws.
 */
export function defineHooks(hooks: HookConfig): HookConfig {
  return hooks;
}
