/** What the files of a workspace allow, as an item to approve: allow rules, directories, a mode. */
import { relative } from 'node:path';
import { isInside } from '../../../base/files/inside.js';
import { isOfWorkspace, type Source } from '../../../config/loaded.js';
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
