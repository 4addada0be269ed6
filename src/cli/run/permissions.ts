/** The permissions of a run: those of the settings files as far as they count, and those of the call. */
import { devNull } from 'node:os';
import { resolve } from 'node:path';
import type { Diagnostic } from '../../config/loaded.js';
import { loadClaudePermissions } from '../../dialects/claude-code/settings/permissions.js';
import { HookError, show } from '../../errors.js';
import {
  PERMISSION_MODES,
  type PermissionMode,
  type PermissionOptions,
} from '../../permission/permissions.js';
import { grantText, reviewGrants } from '../trust/grants.js';
import { type RunValues, splitRules } from './options.js';

export interface ChosenPermissions {
  readonly rules: PermissionOptions;
  readonly diagnostics: readonly Diagnostic[];
  /** What the folder allows and nobody has agreed to, in sentences for people. */
  readonly leftOut: readonly string[];
}

/** Rejects with a HookError for a mode or a rule that is none. */
export async function choosePermissions(options: RunValues, cwd: string): Promise<ChosenPermissions> {
  const withUser = !options['no-user'];
  const wholly = options['trust-workspace'];
  const grants = wholly ? [] : await reviewGrants(cwd, withUser);
  const open = grants.filter(({ status }) => status !== 'trusted');
  const { diagnostics, mode, ...written } = await loadClaudePermissions({
    workspace: cwd,
    files: options.settings.map((file) => resolve(cwd, file)),
    // Nothing can be found there.
    ...(!withUser && { configDir: devNull }),
    // Rules of two files belong together: what one allows the other may forbid.
    trusted: wholly || (grants.length > 0 && open.length === 0),
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
  };
  return { rules, diagnostics, leftOut: open.map((grant) => grantText(grant, cwd)) };
}

const isMode = (text: string): text is PermissionMode =>
  (PERMISSION_MODES as readonly string[]).includes(text);
