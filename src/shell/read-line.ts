/** The reader of shell lines: every command that a line may run, with its words, or why that cannot be determined. */
import { parse } from 'unbash';
import type { ShellCommand, ShellContext, ShellLine } from './line.js';
import { LineReader } from './line-reader.js';

export type {
  Listing,
  ShellAssignment,
  ShellCommand,
  ShellContext,
  ShellLine,
  ShellRedirect,
  ShellWord,
} from './line.js';

/** A longer line is a program: put it into a file. */
const MAX_LINE_LENGTH = 10_000;
/** Deeper than anyone nests by hand; the parser's own limit is far higher. */
const MAX_NESTING = 200;

/** Characters that some shells or people treat as white space, and others do not. */
const DECEPTIVE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\0-\x08\x0b-\x1f\x7f\x85\xa0\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/;

const NO_LINE: ShellLine = {
  ...{ commands: [], unreadable: undefined, unlisted: undefined, tested: [], repeats: false },
  ...{ environment: [], revealed: [] },
};

/** Contract: pure, never throws, and takes milliseconds for any line. */
export function readShellLine(line: string, context: ShellContext = {}): ShellLine {
  const refused = refuseLine(line);
  if (refused !== undefined) return { ...NO_LINE, unreadable: refused, unlisted: refused };
  const first = read(line, context, []);
  // A second time, because a variable of unknown origin may hold any of these values.
  return first.environment.length > 0 ? read(line, context, first.environment) : first;
}

function read(line: string, context: ShellContext, stored: readonly string[]): ShellLine {
  const reader = new LineReader(line, context, stored);
  try {
    reader.read(parse(line));
  } catch (error) {
    reader.giveUp(error instanceof RangeError ? 'it is too deeply nested' : String((error as Error).message));
  }
  if (reader.unreadable !== undefined && HIDDEN.test(line)) reader.giveUp(reader.unreadable);
  const { unreadable, unlisted, tested, repeats, environment, revealed } = reader;
  const commands = unreadable === undefined ? inOnlyFolder(reader.commands, context) : reader.commands;
  return {
    ...{ commands, unreadable, unlisted, tested, repeats },
    environment: [...environment],
    revealed: [...revealed],
  };
}

/** `x='a[$(command)]'; echo $((x))`: where something is evaluated again, a subscript in a text runs a command that is not listed. */
const HIDDEN = /\w\[[^\]]{0,200}?(?:\$\(|`)/;

/** They go to another directory, or run what may. */
const MAY_GO = /^(?:cd|chdir|pushd|popd|\.|source|shopt|setopt)$/;

/** A function is read without knowing from where it is called. If nothing in the line goes elsewhere, it does not matter. */
function inOnlyFolder(commands: readonly ShellCommand[], { cwd }: ShellContext): readonly ShellCommand[] {
  if (cwd === undefined || commands.every(({ folders }) => folders !== undefined)) return commands;
  if (commands.some(({ words: [name] }) => MAY_GO.test(name?.value ?? ''))) return commands;
  return commands.map((command) =>
    command.folders === undefined ? { ...command, folders: [cwd] } : command,
  );
}

export function refuseLine(line: string): string | undefined {
  if (line.length > MAX_LINE_LENGTH) return `it has more than ${MAX_LINE_LENGTH} characters`;
  // The text after the line would become part of it.
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) return 'it ends in a backslash';
  if (DECEPTIVE.test(line)) return 'it contains invisible characters';
  // Opening characters; quoted ones count too, which does no harm.
  if ((line.match(/[({[`]/g)?.length ?? 0) > MAX_NESTING) return 'it is too deeply nested';
  return undefined;
}
