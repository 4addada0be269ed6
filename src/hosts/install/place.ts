/** Where an installation goes: the file of a host for the user or for a project, and what was there before. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readlink, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { HookError, messageOf } from '../../base/errors.js';
import { makePrivateFolder, replacePrivate } from '../../base/files/private.js';
import { readTextFile, userDirectory } from '../../base/files/text-file.js';
import { beforeToolOf } from '../../dialects/host/events.js';
import { hostHome } from '../../dialects/host/files.js';
import type { Host, HostFile } from '../../dialects/host/host.js';

export type Scope = 'user' | 'project';

/** Undefined: the host reads no such file. */
export function installPlace({ files, shape }: Host, scope: Scope): HostFile | undefined {
  const wanted = shape === 'own' ? undefined : shape === 'list' ? 'toml' : 'json';
  return files.find(
    ({ layer, format, isPersonal }) =>
      layer === scope && (wanted === undefined || format === wanted) && isPersonal !== true,
  );
}

/** Of several files, that of hookline; where each event has one, that of the event. Default: the one before a tool. */
export function placeName(host: Host, { path }: HostFile, event?: string): string {
  const own = host.own?.perEvent ? (event ?? beforeToolOf(host)?.own.name) : undefined;
  return path.replace('*', own ?? 'hookline');
}

/** The file that the entry of an event is written to. Throws a HookError if the host has none. */
export function installFile(host: Host, scope: Scope, workspace: string, event?: string): string {
  const place = installPlace(host, scope);
  if (place === undefined)
    throw new HookError(
      'invalid_option',
      `${host.title} reads no hooks from a ${scope}. Give --${scope === 'user' ? 'project' : 'user'}.`,
    );
  const base = scope === 'user' ? hostHome(host) : workspace;
  return join(base, placeName(host, place, event));
}

/** The root of the repository that a folder is in. */
export function repositoryOf(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** A project as the entries in its own file name it: from the root of its repository, so that every clone reads it alike. */
export function requiredFolder(project: string): string {
  const root = repositoryOf(project);
  return (root === undefined ? '' : relative(root, project)) || '.';
}

/** The file as it was before, and as we left it. */
interface Before {
  readonly before: string | null;
  readonly after: string;
  /** Its mode, if there was a file: a host that starts it as a program needs another one. */
  readonly mode?: number;
  /** The first folder that had to be made for it. */
  readonly made?: string;
}

const storeFile = (): string =>
  join(userDirectory(process.env['XDG_STATE_HOME'], '.local', 'state'), 'hookline', 'installed.json');

async function readStore(): Promise<Record<string, Before>> {
  try {
    return JSON.parse((await readTextFile(storeFile())) ?? '{}') as Record<string, Before>;
  } catch {
    // What cannot be read is forgotten: entries are then removed one by one.
    return {};
  }
}

async function writeStore(store: Readonly<Record<string, Before>>): Promise<void> {
  await makePrivateFolder(dirname(storeFile()));
  await replacePrivate(storeFile(), JSON.stringify(store));
}

/** Writes the file, and remembers what was there at first. */
export async function writeInstalled(file: string, before: string | undefined, after: string): Promise<void> {
  const store = await readStore();
  const known = store[file];
  // An entry that is written again must not make our own text the original.
  const isOurs = known !== undefined && known.after === before;
  const original = isOurs ? known.before : (before ?? null);
  const mode = isOurs ? known.mode : await modeOf(file);
  const folder = firstMissing(dirname(file)) ?? known?.made;
  const more = { ...(mode !== undefined && { mode }), ...(folder !== undefined && { made: folder }) };
  await writeStore({ ...store, [file]: { before: original, after, ...more } });
  await write(file, after);
}

/** Undefined: there is no such file. */
async function modeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found && found.mode & 0o7777;
}

export async function makeProgram(file: string): Promise<void> {
  await chmod(file, 0o755);
}

/** The highest folder of a path that does not exist. */
function firstMissing(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  return firstMissing(dirname(folder)) ?? folder;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new HookError('invalid_config', `${file} cannot be written: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** What the file was before the installation, if it has not been changed since; undefined: unknown. */
export async function originalOf(
  file: string,
  current: string,
): Promise<{ readonly text: string | null } | undefined> {
  const known = (await readStore())[file];
  return known?.after === current ? { text: known.before } : undefined;
}

/** `null` removes the file, and the folders that were made for it if nothing else is in them. */
export async function restore(file: string, text: string | null): Promise<void> {
  const { [file]: known, ...rest } = await readStore();
  if (text === null) {
    await rm(file, { force: true });
    await removeEmpty(dirname(file), known?.made);
  } else {
    await write(file, text);
    if (known?.mode !== undefined && text === known.before) await chmod(file, known.mode);
  }
  await writeStore(handedOn(rest, known?.made));
}

async function removeEmpty(folder: string, last: string | undefined): Promise<void> {
  if (last === undefined || !`${folder}/`.startsWith(`${last}/`)) return;
  try {
    await rmdir(folder);
  } catch {
    return; // Something else is in it.
  }
  await removeEmpty(dirname(folder), last);
}

/** A folder that is still there goes with the last one of our files in it. */
function handedOn(store: Record<string, Before>, made: string | undefined): Record<string, Before> {
  if (made === undefined || !existsSync(made)) return store;
  const [file, other] = Object.entries(store).find(([each]) => each.startsWith(`${made}/`)) ?? [];
  const isHigher = other?.made === undefined || made.length < other.made.length;
  return file !== undefined && other !== undefined && isHigher
    ? { ...store, [file]: { ...other, made } }
    : store;
}

/** Undefined: there is no such file. Rejects with a HookError for a file that cannot be restored byte by byte. */
export async function currentText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw refused(file, messageOf(error));
    const link = await readlink(file).catch(() => undefined);
    if (link !== undefined) throw refused(file, `it is a link to ${link}, which does not exist`);
    return undefined;
  });
  const text = bytes?.toString('utf8');
  if (text !== undefined && bytes?.equals(Buffer.from(text)) === false)
    throw refused(file, 'it is not text in UTF-8');
  return text;
}

const refused = (file: string, why: string): HookError =>
  new HookError('invalid_config', `${file} cannot be edited: ${why}. Repair it first; nothing was changed.`);
