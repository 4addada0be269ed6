/** The script around a shell command: reads environment files first, and reports where the command ended up. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeTempFolder, removeTempFolder } from '../../process/temp-folders.js';

/**
 * The report is made by a trap, so that it is also made when the command calls `exit`. What environment files print
 * is not the command's output. `eval` keeps a syntax error in the command from voiding the rest.
 */
export function shellScript(command: string, environmentFiles: readonly string[], cwdFile: string): string {
  return [
    `trap ${quote(`pwd -P > ${quote(cwdFile)} 2> /dev/null`)} EXIT`,
    ...environmentFiles.map((file) => `[ -r ${quote(file)} ] && . ${quote(file)} > /dev/null`),
    `eval ${quote(command)}`,
  ].join('\n');
}

/** For the shell this is one word and nothing in it is special. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export interface CwdReport {
  /** Where the shell writes. */
  readonly file: string;
  /** The directory it reported, or undefined when it reported none that exists. */
  read(): Promise<string | undefined>;
  close(): void;
}

/** In a directory of its own, which only this user can enter. */
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

/** An agent whose directory was removed would be stuck: nothing can be started there. */
export async function nearestDirectory(path: string): Promise<string> {
  let at = path;
  while (!(await isDirectory(at)) && dirname(at) !== at) at = dirname(at);
  return at;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
