/** Compares the files of a guard with those in a folder, and writes them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileErrorOf, HookError, messageOf } from '../../base/errors.js';
import { guardFiles, guardsFolder } from './catalogue.js';

export interface PlannedFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly text: string;
  /** What is there now; undefined if nothing is. */
  readonly old: string | undefined;
}

/** Rejects with a HookError if a file that is there cannot be read. */
export function planFiles(name: string, cwd: string): Promise<readonly PlannedFile[]> {
  return Promise.all(
    guardFiles(name).map(async (path) => ({
      path,
      text: await readFile(join(guardsFolder(), basename(path)), 'utf8'),
      old: await readIfThere(join(cwd, path)),
    })),
  );
}

export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new HookError('invalid_option', `${file} cannot be read: ${fileErrorOf(error)}.`);
  }
}

export async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new HookError('invalid_option', `${file} cannot be written: ${messageOf(error)}.`);
  }
}
