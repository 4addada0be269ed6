/** Where an installation goes: the file of a host for the user or for a project, and what was there before. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateFolder, replacePrivate } from '../../base/files/private.js';
import { readTextFile, userDirectory } from '../../base/files/text-file.js';
import { hostHome } from '../../dialects/host/files.js';
import type { Host } from '../../dialects/host/host.js';

export type Scope = 'user' | 'project';

/** The file that entries are written to. */
export function installFile(host: Host, scope: Scope, workspace: string): string {
  const place = host.files.find(({ layer, format }) => layer === scope && format === 'json');
  if (place === undefined) throw new Error(`${host.title} has no file for the ${scope}`);
  const base = scope === 'user' ? hostHome(host) : workspace;
  return join(base, place.path.replace('*', 'hookline'));
}

/** The file as it was before, and as we left it. */
interface Before {
  readonly before: string | null;
  readonly after: string;
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
  const original = known !== undefined && known.after === before ? known.before : (before ?? null);
  await writeStore({ ...store, [file]: { before: original, after } });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, after);
}

/** What the file was before the installation, if it has not been changed since; undefined: unknown. */
export async function originalOf(
  file: string,
  current: string,
): Promise<{ readonly text: string | null } | undefined> {
  const known = (await readStore())[file];
  return known?.after === current ? { text: known.before } : undefined;
}

/** `null` removes the file. */
export async function restore(file: string, text: string | null): Promise<void> {
  if (text === null) await rm(file, { force: true });
  else await writeFile(file, text);
  const { [file]: _, ...rest } = await readStore();
  await writeStore(rest);
}

/** Undefined: there is no such file. */
export async function currentText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
}
