/** The permissions of a run: those of the settings files, as far as approved, and those of the command line. */
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import { HookError, show } from '../../base/errors.js';
import type { Diagnostic } from '../../config/loaded.js';
import { readSettingsEnv } from '../../dialects/claude-code/settings/env.js';
import { readSettingsFiles, type SettingsPlaces } from '../../dialects/claude-code/settings/files.js';
import { loadClaudePermissions } from '../../dialects/claude-code/settings/permissions.js';
import { isHooklineFile } from '../../dialects/hookline/source.js';
import {
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionOptions,
} from '../../permissions/permissions.js';
import { grantText, isRepositoryTrusted, reviewGrants } from '../trust/grants.js';
import { type RunValues, splitRules } from './options.js';

export interface ChosenPermissions {
  readonly rules: PermissionOptions;
  readonly diagnostics: readonly Diagnostic[];
  /** What the folder allows without approval, as sentences for people. */
  readonly skipped: readonly string[];
}

/** Rejects with a HookError for an invalid mode or rule. */
export async function choosePermissions(options: RunValues, cwd: string): Promise<ChosenPermissions> {
  const withUser = !options['no-user'];
  const wholly = options['trust-workspace'];
  const grants = wholly ? [] : await reviewGrants(cwd, withUser);
  const open = grants.filter(({ status }) => status !== 'trusted');
  const { diagnostics, mode, ...written } = await loadClaudePermissions({
    ...settingsPlaces(options, cwd),
    ...(wholly && { trust: 'workspace' }),
    // Asked about together with the hooks.
    onLostProtection: 'warn',
  });
  const chosen = options['dangerously-skip-permissions']
    ? 'bypassPermissions'
    : (options['permission-mode'] ?? mode ?? 'default');
  if (!isMode(chosen))
    throw new HookError(
      'invalid_option',
      `The permission mode is ${show(chosen)}; give one of ${PERMISSION_MODES.join(', ')}.`,
    );
  const rules = {
    mode: chosen,
    allow: [...written.allow, ...splitRules([...options.allowedTools, ...options['allowed-tools']])],
    ask: written.ask,
    deny: [...written.deny, ...splitRules([...options.disallowedTools, ...options['disallowed-tools']])],
    additionalDirectories: [
      ...written.additionalDirectories,
      ...options['add-dir'].map((path) => resolve(cwd, path)),
    ],
    trustRepository: wholly || isRepositoryTrusted(grants),
  };
  return { rules, diagnostics, skipped: open.map((grant) => grantText(grant, cwd)) };
}

/** The variables that the settings set for the session, except those of the folder's own settings. */
export async function sessionVariables(
  options: RunValues,
  cwd: string,
): Promise<Readonly<Record<string, string>>> {
  return readSettingsEnv(await readSettingsFiles(cwd, settingsPlaces(options, cwd))).own;
}

function settingsPlaces(options: RunValues, cwd: string): SettingsPlaces {
  const files = options.settings.map((file) => resolve(cwd, file)).filter((file) => !isHooklineFile(file));
  // A path at which no settings can be found.
  return { cwd, files, ...(options['no-user'] && { configDir: devNull }) };
}

const isMode = (text: string): text is PermissionMode =>
  (PERMISSION_MODES as readonly string[]).includes(text);
