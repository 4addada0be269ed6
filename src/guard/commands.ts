/** The commands of a shell line, in a form that is easy to judge. */
import { homedir } from 'node:os';
import { basename } from 'node:path/posix';
import { readShellLine, type ShellCommand, type ShellRedirect, type ShellWord } from '../shell/read-line.js';

/** One command that a line may run. */
export interface ReadCommand {
  /**
   * The name of the program without its folder; undefined if only a running shell knows it, empty if there is none, as in
   * `> file`.
   */
  readonly program: string | undefined;
  /** The words after the program. A word that only a running shell knows is as written: `$name`. */
  readonly args: readonly string[];
  /** The arguments that are not options, and all after `--`. */
  readonly operands: readonly string[];
  /** Some words are only known when it runs, or more will be added. */
  readonly unknown: boolean;
  /** The files that its input comes from, and its output goes to, by redirection. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** The variables that are set for it alone, as `NAME=value`. */
  readonly variables: readonly string[];
  /** Where it may run; undefined if unknown. */
  readonly folders: readonly string[] | undefined;
  /** Its input comes from another command. */
  readonly piped: boolean;
  /** As written, with single spaces. */
  readonly text: string;
  /**
   * Whether one of these options is given: `-f` also in `-rf`, `--force` also as `--force=…` and abbreviated, as most
   * programs allow. Never throws.
   */
  has(...options: readonly string[]): boolean;
}

/** A line as read: its commands, and why there may be others. */
export interface CommandsRead {
  readonly commands: readonly ReadCommand[];
  /** Undefined if every command is listed. */
  readonly unreadable: string | undefined;
}

/**
 * Reads every command that a line may run, also behind `sudo`, `env`, `sh -c`, `xargs` and the like. Never throws, and
 * runs nothing.
 */
export function readCommands(line: string, cwd: string): CommandsRead {
  const { commands, unreadable } = readShellLine(line, { cwd, variables: { HOME: homedir() } });
  return { commands: commands.map(readCommand), unreadable };
}

function readCommand({
  words,
  redirects,
  assignments,
  folders,
  piped,
  fed,
  carrier,
}: ShellCommand): ReadCommand {
  const [name, ...rest] = words;
  const args = rest.map(textOf);
  const options = optionsOf(args);
  const set = [...(carrier?.assignments ?? []), ...assignments];
  return {
    program: name === undefined ? '' : name.value && basename(name.value),
    args,
    operands: operandsOf(args),
    unknown: fed === true || words.some(({ value }) => value === undefined),
    reads: targets(redirects, /^<(?:>)?$/),
    writes: targets(redirects, /^(?:&?>|<>)/),
    variables: set.map((each) => `${each.name}=${each.value?.value ?? ''}`),
    folders,
    piped: piped === true,
    text: words.map(({ raw }) => raw).join(' '),
    has: (...wanted) => options.some((option) => wanted.some((each) => isOption(option, each))),
  };
}

function targets(redirects: readonly ShellRedirect[], operators: RegExp): readonly string[] {
  return redirects.flatMap(({ operator, target }) => (operators.test(operator) ? [textOf(target)] : []));
}

const textOf = ({ value, raw }: ShellWord): string => value ?? raw;

function optionsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).filter((arg) => /^-./.test(arg));
}

function operandsOf(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  const before = (end < 0 ? args : args.slice(0, end)).filter((arg) => !/^-./.test(arg));
  return end < 0 ? before : [...before, ...args.slice(end + 1)];
}

function isOption(given: string, wanted: string): boolean {
  if (wanted.startsWith('--')) {
    const [name = ''] = given.split('=', 1);
    return name.length > 3 ? wanted.startsWith(name) : name === wanted;
  }
  if (given === wanted) return true;
  const [letter = ''] = wanted.slice(1);
  return wanted.length === 2 && /^-[A-Za-z0-9]/.test(given) && given.slice(1).includes(letter);
}
