/**
 * The permissions a folder grants itself, presented for approval: allow rules, directories, mode, and what git runs in
 * it.
 */
import { devNull } from 'node:os';
import { join } from 'node:path';
import { repositorySubject } from '../../config/trust/subject.js';
import { createTrustStore } from '../../config/trust/trust-store.js';
import { readSettingsFiles } from '../../dialects/claude-code/settings/files.js';
import { type Grant, readGrants, removedRules } from '../../dialects/claude-code/settings/grants.js';
import { repositoryPrograms } from '../../permissions/git-repository.js';
import { approveLine } from '../hooks/inactive.js';
import { coveredBy, removedHook, type TrustedHook } from './review.js';

/** Used instead of a configuration index: grants do not belong to a configuration. */
const NO_CONFIG = -1;

/** One for each settings file of the folder that allows something, and one for what git runs in it. Never rejects. */
export async function reviewGrants(cwd: string, withUser = true): Promise<TrustedHook[]> {
  const files = await readSettingsFiles(cwd, withUser ? {} : { configDir: devNull });
  const grants = [...readGrants(files, cwd), ...repositoryGrants(cwd)];
  const subjects = grants.map(({ subject }) => subject);
  const store = createTrustStore();
  const { statuses, fingerprints, problems, approvals } = await store.review(cwd, subjects);
  const present = new Set(subjects.map(({ matcher }) => matcher));
  const removed = removedRules(approvals, fingerprints, files, cwd)
    .filter(({ matcher }) => !present.has(matcher))
    .map((approval) => removedHook(approval, NO_CONFIG, cwd));
  if (grants.length === 0) return removed;
  const changes = await store.changes(cwd, subjects);
  const covered = await Promise.all(subjects.map(coveredBy));
  const there = grants.map(({ subject, source, description }, i): TrustedHook => {
    const [fingerprint, problem, change] = [fingerprints[i], problems[0], changes[i]];
    return {
      event: subject.event,
      ...(subject.matcher !== undefined && { matcher: subject.matcher }),
      description,
      source,
      status: statuses[i] ?? 'untrusted',
      ...(fingerprint !== undefined && { fingerprint }),
      files: covered[i] ?? [],
      env: [],
      withheld: [],
      ...(change !== undefined && { changes: change }),
      ...(problem !== undefined && { problem: problem.message }),
      config: NO_CONFIG,
      subject,
    };
  });
  return [...there, ...removed];
}

function repositoryGrants(cwd: string): Grant[] {
  const programs = repositoryPrograms(cwd);
  if (programs === undefined) return [];
  const { top, settings, hooks } = programs;
  const named = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const parts = [...named, ...(hooks.length > 0 ? [`${hooks.length} git hooks`] : [])];
  const source = { layer: 'project', file: join(top, '.git', 'config'), line: 1, column: 1 } as const;
  return [{ subject: repositorySubject(programs, cwd), source, description: `git runs ${parts.join('; ')}` }];
}

/** Whether it is about what git runs, and not about what a settings file allows. */
export const isOfGit = ({ event }: TrustedHook): boolean => event === 'git';

/** Whether what git runs here is approved. */
export function isRepositoryTrusted(grants: readonly TrustedHook[]): boolean {
  return grants.some((grant) => isOfGit(grant) && grant.status === 'trusted');
}

/** Why the permissions of a file have no effect, and what to do. */
export function grantText(grant: TrustedHook, cwd: string): string {
  const { matcher, description, status, problem } = grant;
  const why = status === 'modified' ? 'it has changed since it was approved' : 'it is not approved';
  const todo = `Look at it, then: ${approveLine(cwd, { cwd: process.cwd() })}  (or --trust-workspace for one call)`;
  if (status === 'removed')
    return `What ${matcher} allowed was approved, and is gone. Its deny and ask rules apply until you accept that: ${approveLine(cwd, { cwd: process.cwd() })}`;
  if (isOfGit(grant))
    return `In this folder ${description}. Git commands need confirmation, because ${why}.\n${problem ?? todo}`;
  return `What ${matcher} allows has no effect, because ${why}. Its deny and ask rules apply.\n${problem ?? todo}`;
}

export const isGrant = ({ config }: TrustedHook): boolean => config === NO_CONFIG;
