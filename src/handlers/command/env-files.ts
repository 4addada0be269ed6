/**
 * Files in which commands set variables for the agent's later shell commands: one per command, in a private
 * directory.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder, removeTempFolder } from '../../process/temp-folders.js';

export class EnvFiles {
  #directory: string | undefined;
  readonly #files: string[] = [];

  /** A path that only the next command knows. The file exists once the command has written it. */
  next(event: string): string {
    this.#directory ??= makeTempFolder('env');
    const file = join(this.#directory, `${event.toLowerCase()}-hook-${this.#files.length}.sh`);
    this.#files.push(file);
    return file;
  }

  /** The files that were written, in the order in which their commands started. */
  written(): string[] {
    return this.#files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
  }

  remove(): void {
    if (this.#directory !== undefined) removeTempFolder(this.#directory);
  }
}
