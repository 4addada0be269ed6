/** Loads the hooks of Claude settings files: all layers, every hook with its position, nothing dropped silently. */

import { resolve } from 'node:path';
import { HookError } from '../../../base/errors.js';
import { type OptionNames, refuseUnknownOptions } from '../../../base/text/known-options.js';
import type { Diagnostic, LoadedConfig, LoadedGroup, LoadedHook } from '../../../config/loaded.js';
import { judgeTrust, type Trust } from '../../../config/trust/judge-trust.js';
import { readSettingsEnv } from './env.js';
import { PLACE_OPTIONS, readSettingsFiles, type SettingsFile, type SettingsPlaces } from './files.js';
import { readGroups, type SettingsServices } from './groups.js';
import { isSilenced, readPolicy } from './policy.js';

/** Where settings are loaded from, what their hooks can use, and what is trusted. */
export interface ClaudeSettingsOptions extends SettingsPlaces, SettingsServices {
  /**
   * Decides which hooks of the workspace may run: a trust store, or 'workspace' if the caller has already approved
   * them. Default: the user's own store.
   */
  readonly trust?: Trust | undefined;
}

const OPTIONS: OptionNames<ClaudeSettingsOptions> = {
  ...PLACE_OPTIONS,
  tools: true,
  model: true,
  mcp: true,
  trust: true,
};

/**
 * Loads the hooks of Claude settings files, for `runner.use`.
 *
 * Rejects with a `HookError` for an unknown option, and if the administrator's file is broken: guards that are
 * mandatory cannot be skipped. All other problems are listed in `diagnostics`, and each disables only the entry it is
 * in.
 */
export async function loadClaudeSettings(options: ClaudeSettingsOptions = {}): Promise<LoadedConfig> {
  refuseUnknownOptions('loadClaudeSettings', options, OPTIONS);
  const workspace = resolve(options.cwd ?? '.');
  const files = await readSettingsFiles(workspace, options);
  refuseBrokenManaged(files);
  const diagnostics: Diagnostic[] = [];
  const policy = readPolicy(files, diagnostics);
  const env = readSettingsEnv(files);
  diagnostics.push(...env.diagnostics);
  const groups: LoadedGroup[] = [];
  for (const file of files) {
    if (file.content === undefined) continue;
    if (!file.content.ok) {
      diagnostics.push(file.content.problem);
      continue;
    }
    const read = await readGroups(
      file,
      file.content.root,
      { ...options, workspace, httpPolicy: policy.http, env },
      diagnostics,
    );
    const silence = isSilenced(policy, file.layer);
    groups.push(...(silence === undefined ? read : read.map((group) => silenced(group, silence))));
  }
  return {
    ...(await judgeTrust({ groups, diagnostics }, workspace, options.trust)),
    workspace,
    precedence: 'ask-over-allow',
    services: { model: options.model, mcp: options.mcp },
    files: files.map(({ file }) => file),
  };
}

function refuseBrokenManaged(files: readonly SettingsFile[]): void {
  for (const { layer, content } of files) {
    if (layer !== 'managed' || content === undefined || content.ok) continue;
    const { file, line, column } = content.problem.source;
    throw new HookError(
      'invalid_config',
      `${file}:${line}:${column}: ${content.problem.message} These settings are mandatory, so nothing starts without them.`,
    );
  }
}

function silenced(group: LoadedGroup, message: string): LoadedGroup {
  const inactive = { reason: 'disabled', message } as const;
  const hooks: LoadedHook[] = group.hooks.map((hook) => ({ ...hook, inactive }));
  return { ...group, hooks };
}
