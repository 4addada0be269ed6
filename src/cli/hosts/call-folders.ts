/** The folders whose hooks judge a host's call: that of the process, and those that the input names. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { HookError, show } from '../../base/errors.js';
import type { Host } from '../../dialects/host/host.js';
import { bridgeSources } from '../../dialects/sources.js';
import type { HostCall } from '../../hosts/decode.js';
import { installFile, installPlace, repositoryOf } from '../../hosts/install/place.js';

/** The folders in which hooks were approved, by their real paths, each with the files that had them. */
export type ApprovedFolders = ReadonlyMap<string, readonly string[]>;

const NONE: ApprovedFolders = new Map();

export interface CallPlace {
  readonly host: Host;
  /** The folder of the process. */
  readonly cwd: string;
  readonly claude: boolean;
  /** The folder of the project that the entry was installed for, relative to the root of its repository. */
  readonly required: string | undefined;
}

/**
 * Folders with hooks, each once; the first one may have none. Those that the input names come on top: they can only add
 * hooks. So do the folders above in which hooks were approved. Throws a HookError if the project of the entry has lost
 * its hooks.
 */
export function foldersOfCall(
  place: CallPlace,
  { input, given, session }: Pick<HostCall, 'input' | 'given' | 'session'>,
  approved: ApprovedFolders = NONE,
): string[] {
  const named = [session, input['cwd'], given['workspace_roots'], given['workspaceRoots']]
    .flat()
    .filter(isFolder);
  const own = place.required === undefined ? withHooks(place, place.cwd, approved) : projectOf(place, named);
  const others = [
    ...named.flatMap((folder) => withHooks(place, folder, approved) ?? []),
    ...[place.cwd, ...named].flatMap((folder) => approvedAbove(place.claude, folder, approved)),
  ];
  const all = new Map<string, string>();
  // A link to a folder is the same folder.
  for (const folder of [...(own === undefined ? [] : [own]), ...others])
    if (!all.has(realpathSync(folder))) all.set(realpathSync(folder), folder);
  return all.size > 0 ? [...all.values()] : [named[0] ?? place.cwd];
}

function isFolder(path: unknown): path is string {
  if (typeof path !== 'string' || !isAbsolute(path)) return false;
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The nearest folder with hooks, up to the root of the repository; undefined: there is none. */
export function withHooks(
  { claude }: Pick<CallPlace, 'claude'>,
  start: string,
  approved: ApprovedFolders = NONE,
): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (hasHookFile(folder, claude) || isApproved(folder, claude, approved)) return folder;
    if (existsSync(join(folder, '.git')) || dirname(folder) === folder) return undefined;
  }
}

/**
 * The folders above, and this one, in which hooks were approved, wherever repositories begin: neither hooks of a folder
 * below nor a new repository hide a guard that a person approved.
 */
function approvedAbove(claude: boolean, start: string, approved: ApprovedFolders): string[] {
  const parent = dirname(start);
  const above = parent === start ? [] : approvedAbove(claude, parent, approved);
  return isApproved(start, claude, approved) ? [start, ...above] : above;
}

/** Whether hooks that the bridge loads were approved in this folder, also if their files are gone. */
function isApproved(folder: string, claude: boolean, approved: ApprovedFolders): boolean {
  if (approved.size === 0) return false;
  const files = approved.get(realpathOf(folder)) ?? [];
  const known = hookFiles(claude);
  return files.some((file) => known.includes(file) || (claude && file.startsWith('.claude/')));
}

function realpathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** In the order in which they are looked for. */
export const hookFiles = (claude: boolean): readonly string[] =>
  bridgeSources(claude).flatMap(({ files }) => files);

const hasHookFile = (folder: string, claude: boolean): boolean =>
  hookFiles(claude).some((name) => existsSync(join(folder, name)));

/** Throws a HookError if the project has no file with hooks. */
function projectOf(place: CallPlace, named: readonly string[]): string {
  const { host, cwd, claude, required = '.' } = place;
  const bases = [cwd, ...named];
  const candidates = bases.map((base) => projectFrom(base, required, place));
  const isProject = (folder: string): boolean =>
    hasHookFile(folder, claude) ||
    (installPlace(host, 'project') !== undefined && existsSync(installFile(host, 'project', folder)));
  const project = candidates.find(isProject) ?? candidates[0] ?? cwd;
  if (hasHookFile(project, claude)) return project;
  throw lostHooks(host, project);
}

export function lostHooks({ name }: Host, folder: string): HookError {
  return new HookError(
    'invalid_config',
    `${show(folder)} has no hooks, and the entry that called was installed for a project with hooks. Restore its hookline.yaml, or run hookline uninstall --host ${name} there.`,
  );
}

function projectFrom(base: string, required: string, place: CallPlace): string {
  const root = repositoryOf(base);
  return root === undefined ? (withHooks(place, base) ?? base) : join(root, required);
}
