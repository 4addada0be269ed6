/** The permission rules of Claude settings files, for loops that keep to them. */
import { resolve } from 'node:path';
import { type OptionNames, refuseUnknownOptions } from '../../../base/text/known-options.js';
import { type Diagnostic, isOfWorkspace } from '../../../config/loaded.js';
import { createTrustStore, type TrustReview } from '../../../config/trust/index.js';
import type { Trust } from '../../../config/trust/judge-trust.js';
import { onlyWhatCounts } from '../../../config/trust/lost-protection.js';
import { PLACE_OPTIONS, readSettingsFiles, type SettingsPlaces } from './files.js';
import { readGrants } from './grants.js';
import { readPermissionRules } from './permission-rules.js';

/**
 * What the settings files permit and forbid, all layers together; fits `PermissionOptions`, but for a `mode` that may
 * be any text.
 */
export interface ClaudePermissions {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** Full paths. */
  readonly additionalDirectories: readonly string[];
  /** As it is written: it may be none that is known here. */
  readonly mode?: string;
  /** What does not count, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Where settings are looked for, and who is trusted. */
export interface ClaudePermissionsOptions extends SettingsPlaces {
  /**
   * Decides whether what the workspace permits itself counts: a trust store, or 'workspace' when the caller has already
   * asked. What it forbids counts in any case. Default: the user's own store.
   */
  readonly trust?: Trust | undefined;
}

const OPTIONS: OptionNames<ClaudePermissionsOptions> = { ...PLACE_OPTIONS, trust: true };

/**
 * All layers together; the mode of the most binding one that names it. What is wrong voids only itself.
 * Rejects only for an option that does not exist: what does not count is in `diagnostics`.
 */
export async function loadClaudePermissions(
  options: ClaudePermissionsOptions = {},
): Promise<ClaudePermissions> {
  refuseUnknownOptions('loadClaudePermissions', options, OPTIONS);
  const workspace = resolve(options.cwd ?? '.');
  const { trust = createTrustStore() } = options;
  const files = await readSettingsFiles(workspace, options);
  const subjects = readGrants(files, workspace).map(({ subject }) => subject);
  const review = trust === 'workspace' ? undefined : await trust.review(workspace, subjects);
  const trusted = isTrusted(review);
  const found = { allow: [] as string[], ask: [] as string[], deny: [] as string[] };
  const directories: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let mode: string | undefined;
  for (const { content, layer, file } of files) {
    if (content?.ok === false) diagnostics.push(content.problem);
    const rules = content?.ok ? readPermissionRules(content.root) : undefined;
    if (content?.ok !== true || rules === undefined) continue;
    diagnostics.push(...rules.diagnostics);
    found.deny.push(...rules.deny);
    found.ask.push(...rules.ask);
    const grants = rules.allow.length + rules.additionalDirectories.length;
    if (isOfWorkspace({ layer }) && !trusted) {
      if (grants === 0 && rules.mode === undefined) continue;
      const message = `What ${file} allows does not count: nobody has approved it. What it forbids does.`;
      const { source } = content.root.get('permissions') ?? content.root;
      diagnostics.push({ severity: 'warning', code: 'untrusted_permissions', message, source });
      continue;
    }
    found.allow.push(...rules.allow);
    directories.push(...rules.additionalDirectories.map((path) => resolve(workspace, path)));
    mode ??= rules.mode;
  }
  return {
    ...found,
    additionalDirectories: directories,
    ...(mode !== undefined && { mode }),
    diagnostics: onlyWhatCounts(diagnostics, workspace, review),
  };
}

/** Rules of two files belong together, since what one allows the other may forbid: all are approved, or none counts. */
function isTrusted(review: TrustReview | undefined): boolean {
  return review === undefined || review.statuses.every((status) => status === 'trusted');
}
