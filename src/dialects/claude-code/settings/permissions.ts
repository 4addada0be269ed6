/** Loads the permission rules of Claude settings files, for agent loops. */
import { resolve } from 'node:path';
import { type OptionNames, refuseUnknownOptions } from '../../../base/text/known-options.js';
import { type Diagnostic, isOfWorkspace } from '../../../config/loaded.js';
import { type OnLostProtection, refuseLostProtection } from '../../../config/lost-protection.js';
import type { Trust } from '../../../config/trust/judge-trust.js';
import { onlyWhatCounts, storeProblems } from '../../../config/trust/lost-protection.js';
import type { ApprovedHook, TrustReview } from '../../../config/trust/store-types.js';
import { createTrustStore } from '../../../config/trust/trust-store.js';
import { PLACE_OPTIONS, readSettingsFiles, type SettingsFile, type SettingsPlaces } from './files.js';
import { approvedRules, readGrants, removedRules } from './grants.js';
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
  /**
   * `refuse` rejects if a rule that denies or asks, or a whole file, has no effect (a diagnostic with `failsOpen`).
   * `warn` goes on without it. Default: `refuse`.
   */
  readonly onLostProtection?: OnLostProtection | undefined;
}

const OPTIONS: OptionNames<ClaudePermissionsOptions> = {
  ...PLACE_OPTIONS,
  trust: true,
  onLostProtection: true,
};

/**
 * All layers together, with the mode of the layer with the highest precedence. A mistake disables only the rule it is
 * in, and is listed in `diagnostics`. Rejects with a `HookError` for an unknown option, and if protection is lost, unless
 * `onLostProtection` is `warn`.
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
  const removed = removedRules(review?.approvals ?? [], review?.fingerprints ?? [], files, workspace);
  for (const approval of removed) {
    const kept = BEHAVIORS.flatMap((behavior) =>
      approvedRules(approval, behavior)
        .filter((rule) => !found[behavior].includes(rule))
        .map((rule) => {
          found[behavior].push(rule);
          return rule;
        }),
    );
    if (kept.length > 0) diagnostics.push(stillCount(approval, kept, workspace));
  }
  const reported = [...onlyWhatCounts(diagnostics, workspace, review), ...unknownApprovals(review, files)];
  refuseLostProtection(reported, options.onLostProtection, ADVICE);
  return {
    ...found,
    additionalDirectories: directories,
    ...(mode !== undefined && { mode }),
    diagnostics: reported,
  };
}

const BEHAVIORS = ['deny', 'ask'] as const;

const ADVICE = "Repair this. To go on without these rules, use { onLostProtection: 'warn' }.";

/** A store that cannot be relied on may hold rules that a person approved. */
function unknownApprovals(review: TrustReview | undefined, files: readonly SettingsFile[]): Diagnostic[] {
  const found = files.find((file) => isOfWorkspace(file) && file.content !== undefined);
  const source = found && ({ layer: found.layer, file: found.file, line: 1, column: 1 } as const);
  return storeProblems(review?.problems ?? [], source).filter(({ failsOpen }) => failsOpen);
}

/** What a person approved is not lost because a file of the workspace has it no more. */
function stillCount({ source = '' }: ApprovedHook, rules: readonly string[], workspace: string): Diagnostic {
  const message = `${rules.join(', ')} still ${rules.length === 1 ? 'counts' : 'count'}, as approved, although ${source} has changed or is gone. Restore the file, or accept its present version: hookline trust approve`;
  const place = { layer: 'project', file: resolve(workspace, source), line: 1, column: 1 } as const;
  return { severity: 'warning', code: 'removed_rules', message, source: place };
}

/** Rules of two files belong together, because one may deny what the other allows: all are approved, or none counts. */
function isTrusted(review: TrustReview | undefined): boolean {
  return review === undefined || review.statuses.every((status) => status === 'trusted');
}
