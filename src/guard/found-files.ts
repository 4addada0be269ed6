/** What `find` and `fd` delete, and whether a condition on names makes it little. */
import type { Reach } from './reach.js';

/** A program that deletes, as the first word of what `find` or `fd` runs. */
const DELETING = String.raw`(?:\S*\/)?(?:rm|unlink|shred|truncate)\b`;
const FIND_RUNS = new RegExp(String.raw`-(?:exec|ok)(?:dir)? (?:\S*sh -\w*c .*\b)?${DELETING}`, 's');
const FD_RUNS = new RegExp(`(?:^| )(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)[ =]?${DELETING}`);

type ReachOf = (folders: readonly string[]) => readonly Reach[];

/** Whether a call of `find`, `fd` or another program with their names deletes what it finds. Never throws. */
export function deletesFound(program: string | undefined, args: readonly string[]): boolean {
  if (/^g?find$/.test(program ?? '')) return args.includes('-delete') || FIND_RUNS.test(args.join(' '));
  return /^fd(?:find)?$/.test(program ?? '') && FD_RUNS.test(args.join(' '));
}

/**
 * Whether a call of `find` or `fd` finds much: the whole project without a condition, or anything around it. `reach` tells
 * how much folders cover. Never throws.
 */
export function findsMuch(program: string, args: readonly string[], reach: ReachOf): boolean {
  const { folders, isNarrow } = /^fd/.test(program) ? readFd(args) : readFind(args);
  const wide = isNarrow ? /around|outside/ : /project|around|outside/;
  return reach(folders.length > 0 ? folders : ['.']).some((each) => wide.test(each));
}

/** The folders of `find` come before its first condition. Conditions on names and times make it narrow. */
function readFind(args: readonly string[]) {
  const first = args.findIndex((arg) => /^[-(!]/.test(arg));
  const isNarrow = args.some(
    (arg, at) =>
      /^-i?(?:name|path|regex|empty|newer|[acm](?:time|min)|size)$/.test(arg) &&
      !/^(?:!|-not)$/.test(args[at - 1] ?? '') &&
      !/^[*?./]+$/.test(args[at + 1] ?? ''),
  );
  return { folders: first < 0 ? args : args.slice(0, first), isNarrow };
}

/** `fd pattern folder…`: an ending, a pattern or a time makes it narrow. */
function readFd(args: readonly string[]) {
  const end = args.findIndex((arg) => /^(?:-[a-zA-Z]*[xX]|--exec)/.test(arg));
  const own = end < 0 ? args : args.slice(0, end);
  const [pattern = '.', ...folders] = own.filter(
    (arg, at) => !arg.startsWith('-') && !/^-[etdESoc]$/.test(own[at - 1] ?? ''),
  );
  const isNarrow =
    !/^[\^$.*?+]*$/.test(pattern) || own.some((arg) => /^(?:-e|--ext|--changed|--size|-S)/.test(arg));
  return { folders, isNarrow };
}
