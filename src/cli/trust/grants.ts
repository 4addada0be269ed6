/** What a folder permits itself, as something to agree to: its allow rules, its directories, its mode. */
import { devNull } from 'node:os';
import { isOfWorkspace, type Source } from '../../config/loaded.js';
import { createTrustStore, permissionSubject, type TrustSubject } from '../../config/trust/index.js';
import { readSettingsFiles } from '../../dialects/claude-code/settings/files.js';
import { approveLine } from '../hooks/inactive.js';
import { shortPath } from '../hooks/place.js';
import type { TrustedHook } from './review.js';

/** Stands where hooks have the number of their configuration: what is permitted is in none of them. */
const NO_CONFIG = -1;

interface Grant {
  readonly subject: TrustSubject;
  readonly source: Source;
  readonly description: string;
}

/** One for each settings file of the folder that allows something. Never rejects. */
export async function reviewGrants(cwd: string, withUser = true): Promise<TrustedHook[]> {
  const grants = await readGrants(cwd, withUser);
  if (grants.length === 0) return [];
  const subjects = grants.map(({ subject }) => subject);
  const { statuses, fingerprints, problems } = await createTrustStore().review(cwd, subjects);
  return grants.map(({ subject, source, description }, i) => {
    const [fingerprint, problem] = [fingerprints[i], problems[0]];
    return {
      event: subject.event,
      ...(subject.matcher !== undefined && { matcher: subject.matcher }),
      description,
      source,
      status: statuses[i] ?? 'untrusted',
      ...(fingerprint !== undefined && { fingerprint }),
      files: [],
      ...(problem !== undefined && { problem: problem.message }),
      config: NO_CONFIG,
      subject,
    };
  });
}

/** Why what a file allows does not count, and what to do. */
export function grantText({ matcher, status, problem }: TrustedHook, cwd: string): string {
  const why = status === 'modified' ? 'it has changed since it was agreed to' : 'nobody has agreed to it';
  const todo = `Look at it, then: ${approveLine(cwd, { cwd: process.cwd() })}  (or --trust-workspace for one call)`;
  return `What ${matcher} allows does not count, because ${why}; what it forbids does.\n${problem ?? todo}`;
}

export const isGrant = ({ config }: TrustedHook): boolean => config === NO_CONFIG;

async function readGrants(cwd: string, withUser: boolean): Promise<Grant[]> {
  const files = await readSettingsFiles({ workspace: cwd, ...(!withUser && { configDir: devNull }) });
  return files.flatMap(({ content, layer, file }) => {
    const node = content?.ok ? content.root.get('permissions') : undefined;
    const description = node === undefined ? '' : describe(node.value);
    if (node === undefined || !isOfWorkspace({ layer }) || description === '') return [];
    const subject = permissionSubject(shortPath(file, cwd), node.value, cwd);
    return [{ subject, source: node.source, description }];
  });
}

/** What is granted, in words; empty where nothing is. */
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
