/** Refuses to start an agent while something that protects cannot be read. */

import { HookError } from '../../base/errors.js';
import type { Diagnostic } from '../../config/loaded.js';
import { lostProtection } from '../../config/lost-protection.js';
import { readSettingsTrees } from '../../dialects/claude-code/settings-trees.js';
import { hintFor } from '../check/hints.js';
import type { LoadedHooks } from '../hooks/load.js';
import { exactPlace } from '../hooks/place.js';
import type { Io } from '../io.js';
import type { Report } from './skipped-hooks.js';

export interface Start {
  readonly cwd: string;
  /** Whether the caller chose to start anyway. */
  readonly ignored: boolean;
  /** Asks the user at the terminal; absent without a terminal. */
  readonly confirm: Io['confirm'] | undefined;
  readonly report: Report;
}

/**
 * Rejects with a HookError with code `invalid_config` that lists every file, line and fix. Broken managed settings
 * cannot be ignored: only the administrator can repair them.
 */
export async function refuseUnprotected(
  hooks: LoadedHooks,
  permissions: readonly Diagnostic[],
  { cwd, ignored, confirm, report }: Start,
): Promise<void> {
  const lost = lostProtection([...hooks.diagnostics, ...permissions]);
  if (lost.length === 0) return;
  const { nodeAt } = await readSettingsTrees(hooks.configs);
  const lines = [...new Set(lost.map((each) => describe(each, hintFor(each, nodeAt(each.source)), cwd)))];
  const what = ['Some protection in this folder cannot be read:', ...lines].join('\n');
  if (lost.some(({ source }) => source.layer === 'managed')) {
    const advice = 'Not started. These settings are mandatory: ask your administrator to repair them.';
    throw new HookError('invalid_config', `${what}\n${advice}`);
  }
  if (ignored) return;
  if (confirm !== undefined) {
    report(what);
    const answer = await confirm('Start without it?');
    if (answer === true) return;
    if (answer === false) throw new HookError('invalid_config', 'Not started.');
  }
  const advice = 'Not started. Repair it, or give --ignore-broken-settings to start without it.';
  throw new HookError('invalid_config', confirm === undefined ? `${what}\n${advice}` : advice);
}

function describe({ source, message }: Diagnostic, hint: string | undefined, cwd: string): string {
  const place = `  ${exactPlace(source, cwd)}: ${message}`;
  return hint === undefined ? place : `${place}\n    to do: ${hint}`;
}
