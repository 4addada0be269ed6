/** Folders of ours that the words of a command name: a program may go there, or find there what it runs. */
import type { Run } from './commands.js';
import type { ExecutedFiles } from './executed-files.js';
import { pathsIn } from './given-files.js';
import { kindOf, pathFrom } from './places.js';

/** Options by which a program works in another folder: `-C x`, `-chdir=x`, `--project-directory x`. */
const MOVES =
  /^-{1,2}(?:[a-zA-Z]*C|[SBdp]|cd|cwd|(?:[\w-]*-)?(?:chdir|dir(?:ectory)?|path)|dir|directory|chdir|cwd|project|projectdir|root(?:dir)?|base|prefix|workdir|wd|module|repo)$/i;
const MAX_FOLDERS = 24;
/** Everything that the program is given is looked for in each of these too. */
const MAX_MOVED = 6;

/** All of them, and those that an option says to work in. */
export function namedFolders(
  run: Run,
  executed: ExecutedFiles,
): { readonly all: readonly string[]; readonly moved: readonly string[] } {
  const [all, moved] = [new Set<string>(), new Set<string>()];
  const add = (text: string, option: string): void => {
    for (const part of pathsIn(text))
      for (const folder of run.folders ?? []) {
        const path = pathFrom(folder, part);
        if (run.folders?.includes(path) || !executed.isOurs(path) || kindOf(path) !== 'directory') continue;
        const isMoved = MOVES.test(option);
        const isTooMany =
          (all.size === MAX_FOLDERS && !all.has(path)) ||
          (isMoved && moved.size === MAX_MOVED && !moved.has(path));
        if (isTooMany) {
          executed.exceed(`\`${run.program}\` is given too many folders`);
          return;
        }
        all.add(path);
        if (isMoved) moved.add(path);
      }
  };
  for (const [at, { value = '' }] of run.args.entries()) {
    const [, name, given] = /^(--?[\w-]+)=(.+)$/s.exec(value) ?? /^(-[a-zA-Z])([^-=].*)$/s.exec(value) ?? [];
    add(given ?? value, name ?? run.args[at - 1]?.value ?? '');
  }
  for (const { name, value } of run.command.assignments) add(value?.value ?? '', `--${name.toLowerCase()}`);
  return { all: [...all], moved: [...moved] };
}
