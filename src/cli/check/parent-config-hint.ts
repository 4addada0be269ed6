/** Notices hooks in a folder above this one, where they are not loaded from. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isInside } from '../../base/files/inside.js';
import { readTextFile } from '../../base/files/text-file.js';
import { isOfWorkspace } from '../../config/loaded.js';
import { HOOK_SOURCES } from '../../dialects/sources.js';
import type { LoadedHooks } from '../hooks/load.js';

/** Reports them if this folder has no hooks of its own and one above it does. */
export async function hintParentConfig(hooks: LoadedHooks, report: (text: string) => void): Promise<void> {
  if (hasOwn(hooks)) return;
  const found = await findParentConfig(hooks.cwd);
  if (found === undefined) return;
  report(
    `This folder has no hooks, and ${found.file} is not loaded from here. Use it with --cwd ${found.folder}.`,
  );
}

/** Also true if they do not count: then that is reported instead. */
function hasOwn({ cwd, configs, diagnostics }: LoadedHooks): boolean {
  const sources = configs.flatMap(({ groups }) => groups.map(({ source }) => source));
  return (
    sources.some((source) => isOfWorkspace(source) || source.layer === 'file') ||
    diagnostics.some(({ source }) => isInside(source.file, cwd))
  );
}

/** The nearest folder above with hooks, up to the root of the repository, and never the user's own. */
async function findParentConfig(
  cwd: string,
): Promise<{ readonly folder: string; readonly file: string } | undefined> {
  const home = homedir();
  for (let folder = cwd; !existsSync(join(folder, '.git')); ) {
    const next = dirname(folder);
    if (next === folder || next === home) return undefined;
    folder = next;
    for (const name of HOOK_SOURCES.flatMap(({ files }) => files)) {
      const file = join(folder, name);
      if (await mentionsHooks(file)) return { folder, file };
    }
  }
  return undefined;
}

/** Settings files are often about other things. */
async function mentionsHooks(file: string): Promise<boolean> {
  try {
    const text = await readTextFile(file);
    return text !== undefined && (!file.endsWith('.json') || text.includes('"hooks"'));
  } catch {
    return false;
  }
}
