/** The permission rules of Claude settings files, for loops that keep to them. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Diagnostic, isOfWorkspace } from '../../../config/loaded.js';
import { messageOf } from '../../../errors.js';
import type { PermissionBehavior } from '../../../permission/permissions.js';
import { compileRuleFor } from '../../../permission/rule-set.js';
import { readSettingsFiles, type SettingsPlaces } from './files.js';

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

/** Where settings are looked for, and whether the workspace is trusted. */
export interface ClaudePermissionsOptions extends Partial<SettingsPlaces> {
  /** Whether somebody has agreed to what the workspace permits itself. What it forbids counts in any case. */
  readonly trusted?: boolean | undefined;
}

const texts = z.array(z.string()).default([]);
const schema = z.looseObject({
  allow: texts,
  ask: texts,
  deny: texts,
  additionalDirectories: texts,
  defaultMode: z.string().optional(),
});

/**
 * All layers together; the mode of the most binding one that names it. A rule that is none voids only itself.
 * Never rejects: what does not count is in `diagnostics`.
 */
export async function loadClaudePermissions(
  options: ClaudePermissionsOptions = {},
): Promise<ClaudePermissions> {
  const workspace = resolve(options.workspace ?? '.');
  const found = { allow: [] as string[], ask: [] as string[], deny: [] as string[] };
  const directories: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let mode: string | undefined;
  for (const { content, layer, file } of await readSettingsFiles({ ...options, workspace })) {
    const node = content?.ok ? content.root.get('permissions') : undefined;
    if (node === undefined) continue;
    const { source } = node;
    const read = schema.safeParse(node.value);
    if (!read.success) {
      const message = `The permissions cannot be read: ${z.prettifyError(read.error)}. None of them counts.`;
      diagnostics.push({ severity: 'error', code: 'invalid_permissions', message, source });
      continue;
    }
    const rules = read.data;
    for (const kind of ['deny', 'ask'] as const)
      found[kind].push(...sound(kind, rules[kind], source, diagnostics));
    const grants = [...rules.allow, ...rules.additionalDirectories];
    if (isOfWorkspace({ layer }) && options.trusted !== true) {
      if (grants.length === 0 && rules.defaultMode === undefined) continue;
      const message = `What ${file} allows does not count: nobody has agreed to it. What it forbids does.`;
      diagnostics.push({ severity: 'warning', code: 'untrusted_permissions', message, source });
      continue;
    }
    found.allow.push(...sound('allow', rules.allow, source, diagnostics));
    directories.push(...rules.additionalDirectories.map((path) => resolve(workspace, path)));
    mode ??= rules.defaultMode;
  }
  return {
    ...found,
    additionalDirectories: directories,
    ...(mode !== undefined && { mode }),
    diagnostics,
  };
}

function sound(
  kind: PermissionBehavior,
  rules: readonly string[],
  source: Diagnostic['source'],
  diagnostics: Diagnostic[],
): string[] {
  return rules.filter((rule) => {
    try {
      compileRuleFor(kind, rule);
      return true;
    } catch (error) {
      diagnostics.push({ severity: 'error', code: 'invalid_rule', message: messageOf(error), source });
      return false;
    }
  });
}
