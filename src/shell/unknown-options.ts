/**
 * Options that are only known when a line runs: `sh $x -c …`, `find . -ex$x rm {} \\;`, `$(echo --filter)`. Of a program that
 * runs texts from its options, what it runs is not known then.
 */
import { basename } from 'node:path/posix';
import { carriedBy, mayCarry } from './carriers.js';
import type { Carried } from './carrying.js';
import type { Reading } from './evaluate.js';
import { interpreterOf } from './interpreters.js';
import type { ShellCommand, ShellWord } from './line.js';
import { runsNothing } from './runs-nothing.js';

/** Other programs that run a text from their options or their first operand; carriers and interpreters do so too. */
const RUNS_TEXTS = /^(?:g?make|cmake|ninja|emacs|lldb|dc|docker|podman)$/;
/** Behind one of these, a word is its value. */
const VALUED: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(['tar', 'gtar', 'bsdtar'].map((name) => [name, /^(?:-?[a-zA-Z]*f|-[CTX])$/])),
  ...Object.fromEntries(['ssh', 'scp', 'sftp'].map((name) => [name, /^-[bcDEFiIJlLmpQRwW]$/])),
  find: /^-(?:i?name|i?path|i?wholename|i?regex|maxdepth|mindepth|type|size|[acm]time|[acm]min|perm|user|group|newer\w*)$/,
  git: /^-[mbBFSCo]$|^--(?:message|author|date|onto|branch|depth)$/,
  make: /^-[Cfj]$/,
  rsync: /^--(?:exclude|include)$/,
  sort: /^-[kt]$/,
  split: /^-[abCln]$/,
};
/** Letters of git that take a program, in some of its commands. */
const GIT_LETTERS = /^-[a-zA-Z]*[uOxct]$/;
const RUNS_IN_GIT =
  /^(?:archive|bisect|cherry-pick|clone|difftool|fetch|fetch-pack|filter-branch|grep|instaweb|ls-remote|merge|mergetool|pull|push|rebase|remote|revert|send-email|send-pack|submodule)$/;

/** What a command runs. An unknown word may be an option that makes it run another word. */
export function carriedChecked(command: ShellCommand, reading: Pick<Reading, 'doubt'>): readonly Carried[] {
  const carried = carriedBy(command);
  const rest = emptied(command);
  const program = basename(command.words[0]?.value ?? '');
  const isMore = rest !== undefined && carriedBy(rest).length > carried.length;
  if (isMore || hasUnknownOption(command, program))
    reading.doubt(`which options \`${program}\` gets is only known when it runs`);
  return carried;
}

/** What is left of a command when all that is unknown in its words is empty; undefined if that is nothing new. */
export function emptied(command: ShellCommand): ShellCommand | undefined {
  const isOther = ({ value, known, splits }: ShellWord): boolean =>
    value === undefined && known !== undefined && (known !== '' || splits);
  if (!command.words.some(isOther)) return undefined;
  const words = command.words.flatMap((word): readonly ShellWord[] => {
    if (!isOther(word)) return [word];
    return word.known === '' ? [] : [{ ...word, value: word.known }];
  });
  return { ...command, words };
}

/** Whether a word may be any option, of a program for which that matters. */
function hasUnknownOption(command: ShellCommand, program: string): boolean {
  const args = command.words.slice(1);
  if (args.every(({ value }) => value !== undefined)) return false;
  const isRunning = mayCarry(program) || RUNS_TEXTS.test(program) || interpreterOf(program) !== undefined;
  if (!isRunning && runsNothing(command)) return false;
  const isOpenToAll =
    isRunning && (program !== 'git' || args.some(({ value = '' }) => RUNS_IN_GIT.test(value)));
  const end = program === 'find' ? -1 : args.findIndex(({ value }) => value === '--');
  return args.slice(0, end < 0 ? undefined : end).some((word, at) => {
    if (word.value !== undefined || VALUED[program]?.test(args[at - 1]?.value ?? '')) return false;
    return isUnknownName(word, program, isRunning) || (isOpenToAll && word.open === true);
  });
}

/** Whether a part of an option's name is unknown. Behind a single letter it may be a value. */
function isUnknownName({ known = '', hole = 0 }: ShellWord, program: string, isRunning: boolean): boolean {
  const before = known.slice(0, hole);
  if (/^--/.test(before)) return !before.includes('=');
  if (hole === 0) return /^--[a-z]/.test(known);
  if (!/^[-+]/.test(before)) return false;
  if (hole === 1) return true;
  if (program === 'git') return GIT_LETTERS.test(before);
  return isRunning && !/^-[a-zA-Z]*j$/.test(before) && VALUED[program]?.test(before) !== true;
}
