/** The repositories that git's own options name. */
import type { ShellWord } from '../shell/read-line.js';

/** `--git-dir=path`; undefined for an unknown path. */
export function repositoriesNamed(args: readonly ShellWord[]): readonly (string | undefined)[] {
  return args.flatMap(({ value }, index) => {
    const [, path] = /^--git-dir(?:=(.*))?$/s.exec(value ?? '') ?? [];
    const next = args[index + 1];
    if (value === '--git-dir') return [next?.globs ? undefined : next?.value];
    // Known folders are looked at anyway. Behind the command `-C` is something else, which is not held against it.
    if (value === '-C' && (next?.globs || next?.value === undefined) && isBeforeCommand(args, index))
      return [undefined];
    return path === undefined ? [] : [path];
  });
}

/** Whether all words up to here are options, or values of `-C` and `-c`. */
function isBeforeCommand(args: readonly ShellWord[], index: number): boolean {
  return args
    .slice(0, index)
    .every(({ value = '' }, at) => value.startsWith('-') || /^-[Cc]$/.test(args[at - 1]?.value ?? ''));
}
