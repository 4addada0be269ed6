/** Asks right before a start whether a hook is still what somebody approved: cheap as long as nothing has changed. */
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, resolve } from 'node:path';
import { type Coverage, type CoveredFile, coverageOf } from './covered-files.js';
import { fingerprint, fingerprintOf, formOf } from './fingerprint.js';
import { digestFileNow, isSameState, isSettled } from './hash.js';
import type { TrustSubject } from './subject.js';
import type { TrustStore } from './trust-store.js';

/** What an approved version looked like. */
interface Seen {
  readonly files: readonly CoveredFile[];
  readonly workspace: string;
  /** Where a file could appear that would then be run, and files of which only some values count. */
  readonly states: ReadonlyMap<string, BigIntStats | undefined>;
  /** Where the hook and its variables lead to. */
  readonly roots: string;
}

/**
 * Whether the hook has the approved fingerprint, or one that was approved meanwhile: at once, if all is as it was when
 * that was last found out. Contract: never throws or rejects.
 */
export function createVerifier(
  subject: TrustSubject,
  approved: string,
  store: Pick<TrustStore, 'review'>,
): () => boolean | Promise<boolean> {
  let seen: Seen | undefined;

  async function examine(): Promise<boolean> {
    const startedAt = Date.now();
    const coverage = await coverageOf(subject).catch(() => undefined);
    if (coverage === undefined) return false;
    const found = fingerprintIn(subject, coverage);
    if (found === undefined) return false;
    if (found !== approved && !(await isApproved(subject, found, store))) return false;
    seen = see(subject, coverage, startedAt);
    if (coverage.files.every((file) => isSame(file, realOrSame(subject.workspace)))) return true;
    // It was changed meanwhile, or cannot be compared at once: what counts is the last look.
    return (await fingerprint(subject).catch(() => undefined)) === found;
  }

  return () => (seen !== undefined && stillHolds(seen, subject)) || examine();
}

/** Undefined for a handler that is not plain data. */
function fingerprintIn(subject: TrustSubject, { files }: Coverage): string | undefined {
  try {
    return fingerprintOf(formOf(subject, files));
  } catch {
    return undefined;
  }
}

async function isApproved(
  subject: TrustSubject,
  found: string,
  store: Pick<TrustStore, 'review'>,
): Promise<boolean> {
  const review = await store.review(subject.workspace, [subject]).catch(() => undefined);
  return review?.statuses[0] === 'trusted' && review.fingerprints[0] === found;
}

/** Undefined: something has changed so lately that the next change might not show. */
function see(
  subject: TrustSubject,
  { files, folders: looked }: Coverage,
  startedAt: number,
): Seen | undefined {
  const workspace = realOrSame(subject.workspace);
  const parts = files.filter(isPart).map(({ path }) => resolve(workspace, path));
  const paths = new Set([...foldersAround(subject, files, workspace), ...looked, ...parts]);
  const states = new Map([...paths].map((path) => [path, statOf(path)]));
  if (![...states.values()].every((stats) => isSettled(stats, startedAt))) return undefined;
  return { files, workspace, states, roots: rootsOf(subject) };
}

function stillHolds({ files, workspace, states, roots }: Seen, subject: TrustSubject): boolean {
  if (rootsOf(subject) !== roots) return false;
  for (const [path, stats] of states) if (!isSameState(statOf(path), stats)) return false;
  return files.every((file) => isPart(file) || isSame(file, workspace));
}

/** Its values are not read again while the file is in the same state. */
const isPart = ({ content }: CoveredFile): boolean => content.startsWith('part:');

/** False also for what cannot be told at once. */
function isSame({ path, content, target }: CoveredFile, workspace: string): boolean {
  const place = resolve(workspace, path);
  const stats = statOf(place);
  if (content === 'absent') return stats === undefined || stats.isDirectory();
  if (stats?.isFile() !== true) return false;
  const real = realOrSame(place);
  return real === resolve(workspace, target ?? path) && digestFileNow(real) === content;
}

/** The workspace, where covered files are, and where a program is looked for before the one that is covered is found. */
function foldersAround(
  { handler }: TrustSubject,
  files: readonly CoveredFile[],
  workspace: string,
): Set<string> {
  const folders = new Set(files.map(({ path }) => dirname(resolve(workspace, path))));
  const own = (handler['env'] as { readonly PATH?: unknown } | undefined)?.PATH;
  const searched = [own, process.env['PATH']].flatMap((path) => String(path ?? '').split(delimiter));
  const places = searched.map((folder) => resolve(workspace, folder));
  const last = places.findLastIndex((place) => folders.has(place));
  return new Set([workspace, ...folders, ...places.slice(0, last + 1)]);
}

function rootsOf({ workspace, pluginRoot }: TrustSubject): string {
  const real = [workspace, ...(pluginRoot === undefined ? [] : [pluginRoot])].map(realOrSame);
  return [...real, homedir(), process.env['PATH']].join('\n');
}

/** Undefined for what is not there, or cannot be reached. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realOrSame(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}
