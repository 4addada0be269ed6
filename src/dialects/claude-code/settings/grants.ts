/** What the files of a workspace allow, as an item to approve: allow rules, directories, a mode. */
import { relative, resolve } from 'node:path';
import { isInside } from '../../../base/files/inside.js';
import { isOfWorkspace, type Source } from '../../../config/loaded.js';
import type { ApprovedHook } from '../../../config/trust/store-types.js';
import { permissionSubject, type TrustSubject } from '../../../config/trust/subject.js';
import type { SettingsFile } from './files.js';

export interface Grant {
  readonly subject: TrustSubject;
  readonly source: Source;
  /** What is granted, in words. */
  readonly description: string;
}

/** One for each file of the workspace that allows something. */
export function readGrants(files: readonly SettingsFile[], workspace: string): Grant[] {
  return files.flatMap(({ content, layer, file }) => {
    const node = content?.ok ? content.root.get('permissions') : undefined;
    const description = node === undefined ? '' : describe(node.value);
    if (node === undefined || !isOfWorkspace({ layer }) || description === '') return [];
    const name = isInside(file, workspace) ? relative(workspace, file) : file;
    const subject = { ...permissionSubject(name, node.value, workspace), source: file };
    return [{ subject, source: node.source, description }];
  });
}

/** Approved permissions of these files that are not there any more as approved. `present`: fingerprints. */
export function removedRules(
  approvals: readonly ApprovedHook[],
  present: readonly (string | undefined)[],
  files: readonly SettingsFile[],
  workspace: string,
): ApprovedHook[] {
  const looked = new Set(files.filter(isOfWorkspace).map(({ file }) => resolve(file)));
  return approvals.filter(
    ({ event, source, fingerprint }) =>
      event === 'permissions' &&
      source !== undefined &&
      looked.has(resolve(workspace, source)) &&
      !present.includes(fingerprint),
  );
}

/** The rules that an approval names. A store whose fields are no JSON is refused as a whole. */
export function approvedRules({ fields }: ApprovedHook, behavior: 'deny' | 'ask'): readonly string[] {
  const [, text = '[]'] = fields.find(([name]) => name === `permissions.${behavior}`) ?? [];
  const rules: unknown = JSON.parse(text);
  return Array.isArray(rules) ? rules.filter((rule) => typeof rule === 'string') : [];
}

/** Empty if nothing is granted. */
function describe(permissions: unknown): string {
  if (typeof permissions !== 'object' || permissions === null) return '';
  const { allow, additionalDirectories, defaultMode }: Readonly<Record<string, unknown>> = { ...permissions };
  const parts = [
    listed('allows', allow),
    listed('works in', additionalDirectories),
    defaultMode === undefined ? '' : `is in the mode ${String(defaultMode)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function listed(verb: string, value: unknown): string {
  return Array.isArray(value) && value.length > 0 ? `${verb} ${value.map(String).join(', ')}` : '';
}
