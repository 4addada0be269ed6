/** Loads the permission rules of Claude settings files, for agent loops. */
import { resolve } from 'node:path';
import { type OptionNames, refuseUnknownOptions } from '../../../base/text/known-options.js';
import { type Diagnostic, isOfWorkspace } from '../../../config/loaded.js';
import type { Trust } from '../../../config/trust/judge-trust.js';
import { onlyWhatCounts } from '../../../config/trust/lost-protection.js';
import type { TrustReview } from '../../../config/trust/store-types.js';
import { createTrustStore } from '../../../config/trust/trust-store.js';
import { PLACE_OPTIONS, readSettingsFiles, type SettingsPlaces } from './files.js';
import { readGrants } from './grants.js';
import { readPermissionRules } from './permission-rules.js';

/**
 * What the settings files allow and deny, all layers together; fits `PermissionOptions`, except that `mode` may be
 * any string.
 */
export interface ClaudePermissions {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** Absolute paths. */
  readonly additionalDirectories: readonly string[];
  /** As written: it may be unknown here. */
  readonly mode?: string;
  /** What does not count, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Where settings are loaded from, and what is trusted. */
export interface ClaudePermissionsOptions extends SettingsPlaces {
  /**
   * Decides whether the workspace's own allow rules count: a trust store, or 'workspace' if the caller has already
   * approved them. Deny rules always count. Default: the user's own store.
   */
  readonly trust?: Trust | undefined;
}

const OPTIONS: OptionNames<ClaudePermissionsOptions> = { ...PLACE_OPTIONS, trust: true };

/**
 * All layers together, with the mode of the layer with the highest precedence. A mistake disables only the rule it is
 * in. Rejects only for an unknown option: rules that do not count are listed in `diagnostics`.
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
      const message = `The allow rules of ${file} do not count, because they are not approved. Its deny rules do.`;
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

/** Rules of two files belong together, because one may deny what the other allows: all are approved, or none counts. */
function isTrusted(review: TrustReview | undefined): boolean {
  return review === undefined || review.statuses.every((status) => status === 'trusted');
}
