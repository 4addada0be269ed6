/** What a folder permits itself, as something to approve: its allow rules, its directories, its mode. */
import { devNull } from 'node:os';
import { createTrustStore } from '../../config/trust/index.js';
import { readSettingsFiles } from '../../dialects/claude-code/settings/files.js';
import { readGrants } from '../../dialects/claude-code/settings/grants.js';
import { approveLine } from '../hooks/inactive.js';
import type { TrustedHook } from './review.js';

/** Stands where hooks have the number of their configuration: what is permitted is in none of them. */
const NO_CONFIG = -1;

/** One for each settings file of the folder that allows something. Never rejects. */
export async function reviewGrants(cwd: string, withUser = true): Promise<TrustedHook[]> {
  const grants = readGrants(await readSettingsFiles(cwd, withUser ? {} : { configDir: devNull }), cwd);
  if (grants.length === 0) return [];
  const subjects = grants.map(({ subject }) => subject);
  const store = createTrustStore();
  const { statuses, fingerprints, problems } = await store.review(cwd, subjects);
  const changes = await store.changes(cwd, subjects);
  return grants.map(({ subject, source, description }, i) => {
    const [fingerprint, problem, change] = [fingerprints[i], problems[0], changes[i]];
    return {
      event: subject.event,
      ...(subject.matcher !== undefined && { matcher: subject.matcher }),
      description,
      source,
      status: statuses[i] ?? 'untrusted',
      ...(fingerprint !== undefined && { fingerprint }),
      files: [],
      env: [],
      withheld: [],
      ...(change !== undefined && { changes: change }),
      ...(problem !== undefined && { problem: problem.message }),
      config: NO_CONFIG,
      subject,
    };
  });
}

/** Why what a file allows does not count, and what to do. */
export function grantText({ matcher, status, problem }: TrustedHook, cwd: string): string {
  const why = status === 'modified' ? 'it has changed since it was approved' : 'nobody has approved it';
  const todo = `Look at it, then: ${approveLine(cwd, { cwd: process.cwd() })}  (or --trust-workspace for one call)`;
  return `What ${matcher} allows does not count, because ${why}; what it forbids does.\n${problem ?? todo}`;
}

export const isGrant = ({ config }: TrustedHook): boolean => config === NO_CONFIG;
