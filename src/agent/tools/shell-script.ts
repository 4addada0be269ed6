/** The script around a shell command: sources environment files first, and reports the final working directory. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { quoted } from '../../base/text/shell-word.js';
import { makeTempFolder, removeTempFolder } from '../../process/temp-folders.js';

/**
 * The report is written by a trap, so that it also works if the command calls `exit`. Output of the environment files
 * is discarded. `eval` keeps a syntax error in the command from breaking the rest.
 */
export function shellScript(command: string, environmentFiles: readonly string[], cwdFile?: string): string {
  return [
    ...(cwdFile === undefined ? [] : [`trap ${quoted(`pwd -P > ${quoted(cwdFile)} 2> /dev/null`)} EXIT`]),
    ...environmentFiles.map((file) => `[ -r ${quoted(file)} ] && . ${quoted(file)} > /dev/null`),
    `eval ${quoted(command)}`,
  ].join('\n');
}

export interface CwdReport {
  /** The file the shell writes to. */
  readonly file: string;
  /** The reported directory, or undefined if none was reported or it does not exist. */
  read(): Promise<string | undefined>;
  close(): void;
}

/** Uses a new directory that only this user can access. */
export function openCwdReport(): CwdReport {
  const directory = makeTempFolder('bash');
  const file = join(directory, 'cwd');
  return {
    file,
    async read() {
      const text = await readFile(file, 'utf8').catch(() => '');
      const path = text.endsWith('\n') ? text.slice(0, -1) : text;
      return path !== '' && (await isDirectory(path)) ? path : undefined;
    },
    close: () => removeTempFolder(directory),
  };
}

/** The nearest existing directory: an agent whose directory was removed could not start anything. */
export async function nearestDirectory(path: string): Promise<string> {
  let at = path;
  while (!(await isDirectory(at)) && dirname(at) !== at) at = dirname(at);
  return at;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
