/** The commands of a shell line, in a form that is easy to judge. */
import { homedir } from 'node:os';
import { basename, resolve } from 'node:path/posix';
import { readShellLine, type ShellCommand, type ShellRedirect, type ShellWord } from '../shell/read-line.js';
import { carriedLines, takesLines } from './carried.js';

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
  /** The texts that it reads as its input: here-documents and here-strings. */
  readonly given: readonly string[];
  /**
   * It stands in the words of a program whose options are not known (`strace rm …`), or runs in a container. Otherwise
   * undefined.
   */
  readonly behind: 'program' | 'container' | undefined;
  /** As written, with single spaces. */
  readonly text: string;
  /**
   * Whether one of these options is given: `-f` also in `-rf`, `--force` also as `--force=…` and abbreviated, as most
   * programs allow. Never throws.
   */
  has(...options: readonly string[]): boolean;
  /**
   * Whether it begins with these words, such as `kubectl delete`, whatever options stand between them. Options among the
   * words may stand anywhere. Never throws.
   */
  isCall(words: string): boolean;
}

/** A line as read: its commands, and why there may be others. */
export interface CommandsRead {
  readonly commands: readonly ReadCommand[];
  /** Undefined if every command is listed. */
  readonly unreadable: string | undefined;
}

/** Programs that run programs that run programs. */
const MAX_DEPTH = 3;

/**
 * Reads every command that a line may run, also behind `sudo`, `env`, `sh -c`, `xargs` and the like, and behind programs
 * whose words show a command (`behind`). Never throws, and runs nothing.
 */
export function readCommands(line: string, cwd: string): CommandsRead {
  return readDeep(line, cwd, 0);
}

function readDeep(line: string, cwd: string, depth: number): CommandsRead {
  const read = readShellLine(line, { cwd, variables: { HOME: homedir() } });
  let { unreadable } = read;
  const commands = read.commands.map(readCommand).flatMap((command) => {
    const lines = depth < MAX_DEPTH ? carriedLines(command.program, command.args) : [];
    const carried = lines.flatMap(({ line: text, behind, fed }) => {
      const isDeep = behind === undefined || takesLines(command.program ?? '') || depth === 0;
      const inner = readDeep(text, command.folders?.[0] ?? cwd, isDeep ? depth + 1 : MAX_DEPTH);
      if (behind === undefined) unreadable ??= inner.unreadable;
      return inner.commands.flatMap((each) =>
        // A text such as `$(pwd)/a b` is no line.
        behind !== undefined && each.program === undefined
          ? []
          : { ...each, behind: each.behind ?? behind, unknown: each.unknown || fed },
      );
    });
    return [command, ...carried];
  });
  return { commands, unreadable };
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
    folders: folderGiven(carrier, folders) ?? folders,
    piped: piped === true,
    given: redirects.flatMap(({ operator, target }) => (operator.startsWith('<<') ? [textOf(target)] : [])),
    behind: undefined,
    text: words.map(({ raw }) => raw).join(' '),
    has: (...wanted) => options.some((option) => wanted.some((each) => isOption(option, each))),
    isCall: (wanted) =>
      isCall([name?.value === undefined ? '' : basename(name.value), ...args], wanted.split(' ')),
  };
}

/** `env -C folder program`: the reader of lines leaves that to its carrier. */
function folderGiven(
  carrier: ShellCommand | undefined,
  folders: ShellCommand['folders'],
): readonly string[] | undefined {
  if (basename(carrier?.words[0]?.value ?? '') !== 'env') return undefined;
  const words = carrier?.words.map(textOf) ?? [];
  const at = words.findIndex((word) => /^(?:-C|--chdir)/.test(word));
  if (at < 0) return undefined;
  const [, attached] = /^(?:-C|--chdir=)(.+)$/s.exec(words[at] ?? '') ?? [];
  const folder = attached ?? words[at + 1] ?? '';
  return (folders ?? ['/']).map((each) => resolve(each, folder));
}

function targets(redirects: readonly ShellRedirect[], operators: RegExp): readonly string[] {
  return redirects.flatMap(({ operator, target }) => (operators.test(operator) ? [textOf(target)] : []));
}

function isCall([program, ...args]: readonly string[], [name, ...wanted]: readonly string[]): boolean {
  if (program !== name) return false;
  const isGiven = (option: string) => args.some((arg) => arg === option || arg.startsWith(`${option}=`));
  if (!wanted.filter((word) => word.startsWith('-')).every(isGiven)) return false;
  const words = wanted.filter((word) => !word.startsWith('-'));
  let found = 0;
  for (const [at, arg] of args.entries()) {
    if (found === words.length) break;
    if (arg === words[found]) found += 1;
    // Whether an option takes the next word is not known.
    else if (!arg.startsWith('-') && !args[at - 1]?.startsWith('-')) return false;
  }
  return found === words.length;
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
