/** Checks before every start whether a hook is still the approved version; cheap as long as nothing has changed. */
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, resolve } from 'node:path';
import {
  type Coverage,
  type CoveredFile,
  coverageOf,
  isExecutable,
  NOT_EXECUTABLE,
} from './covered-files.js';
import { fingerprint, fingerprintOf, formOf } from './fingerprint.js';
import { digestFileNow, isSameState, isSettled } from './hash.js';
import type { TrustSubject } from './subject.js';
import type { TrustStore } from './trust-store.js';

/** The state of the files of an approved version. */
interface Snapshot extends Pick<Coverage, 'files' | 'programs'> {
  readonly workspace: string;
  /**
   * The states of folders where a file could appear that would run instead, and of files of which only some values
   * matter.
   */
  readonly states: ReadonlyMap<string, BigIntStats | undefined>;
  /** The real paths of the hook's roots, and the environment, with which its line is resolved. */
  readonly roots: string;
}

/**
 * Whether the hook has the approved fingerprint, or one that was approved since. Synchronous if nothing changed since
 * the last check. Contract: never throws or rejects.
 */
export function createVerifier(
  subject: TrustSubject,
  approved: string,
  store: Pick<TrustStore, 'review'>,
): () => boolean | Promise<boolean> {
  let snapshot: Snapshot | undefined;

  async function examine(): Promise<boolean> {
    const startedAt = Date.now();
    const coverage = await coverageOf(subject).catch(() => undefined);
    if (coverage === undefined) return false;
    const found = fingerprintIn(subject, coverage);
    if (found === undefined) return false;
    if (found !== approved && !(await isApproved(subject, found, store))) return false;
    snapshot = takeSnapshot(subject, coverage, startedAt);
    if (areSame(coverage, realOrSame(subject.workspace))) return true;
    // It changed meanwhile, or cannot be compared synchronously: compute the fingerprint once more.
    return (await fingerprint(subject).catch(() => undefined)) === found;
  }

  return () => (snapshot !== undefined && stillHolds(snapshot, subject)) || examine();
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

/** Undefined if something changed so recently that a further change might not show. */
function takeSnapshot(
  subject: TrustSubject,
  { files, programs, folders: looked }: Coverage,
  startedAt: number,
): Snapshot | undefined {
  const workspace = realOrSame(subject.workspace);
  const parts = files.filter(isPart).map(({ path }) => resolve(workspace, path));
  const paths = new Set([...foldersAround(subject, files, workspace), ...looked, ...parts]);
  const states = new Map([...paths].map((path) => [path, statOf(path)]));
  if (![...states.values()].every((stats) => isSettled(stats, startedAt))) return undefined;
  return { files, programs, workspace, states, roots: rootsOf(subject) };
}

function stillHolds(snapshot: Snapshot, subject: TrustSubject): boolean {
  const { files, programs, workspace, states, roots } = snapshot;
  if (rootsOf(subject) !== roots) return false;
  for (const [path, stats] of states) if (!isSameState(statOf(path), stats)) return false;
  return areSame({ files: files.filter((file) => !isPart(file)), programs }, workspace);
}

function areSame({ files, programs }: Pick<Coverage, 'files' | 'programs'>, workspace: string): boolean {
  return files.every((file) => isSame(file, workspace, programs.has(file.path)));
}

/** Its values are not read again while the file is unchanged. */
const isPart = ({ content }: CoveredFile): boolean => content.startsWith('part:');

/** False also if it cannot be determined synchronously. */
function isSame({ path, content, target }: CoveredFile, workspace: string, isProgram: boolean): boolean {
  const place = resolve(workspace, path);
  const stats = statOf(place);
  if (content === 'absent') return stats === undefined || stats.isDirectory();
  if (stats?.isFile() !== true) return false;
  const real = realOrSame(place);
  const runs = !isProgram || isExecutable(Number(stats.mode));
  const found = digestFileNow(real);
  return (
    real === resolve(workspace, target ?? path) && content === (runs ? found : `${NOT_EXECUTABLE}${found}`)
  );
}

/** The workspace, the folders of covered files, and the PATH folders searched before the covered program. */
function foldersAround(
  { handler, variables }: TrustSubject,
  files: readonly CoveredFile[],
  workspace: string,
): Set<string> {
  const folders = new Set(files.map(({ path }) => dirname(resolve(workspace, path))));
  const own = variables?.['PATH'] ?? (handler['env'] as { readonly PATH?: unknown } | undefined)?.PATH;
  const searched = [own, process.env['PATH']].flatMap((path) => String(path ?? '').split(delimiter));
  const places = searched.map((folder) => resolve(workspace, folder));
  const last = places.findLastIndex((place) => folders.has(place));
  return new Set([workspace, ...folders, ...places.slice(0, last + 1)]);
}

function rootsOf({ workspace, pluginRoot }: TrustSubject): string {
  const real = [workspace, ...(pluginRoot === undefined ? [] : [pluginRoot])].map(realOrSame);
  return JSON.stringify([...real, homedir(), process.env]);
}

/** Undefined if it does not exist or cannot be reached. */
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
