/** The specifier of a Bash rule: what it says about the commands of a shell line. */
import { basename } from 'node:path/posix';
import { matchesWildcard } from '../base/text/wildcard.js';
import { takesAnyWords } from '../shell/effects.js';
import { readShellLine, type ShellCommand, type ShellLine, type ShellWord } from '../shell/read-line.js';
import { isHarmlessVariable, isOrdinaryVariable } from '../shell/variables.js';
import { runsUnseen } from './rule-feed.js';
import { type Judge, UNREADABLE } from './rule-judge.js';
import { type LeadingWords, leadingWords, mentions } from './rule-mention.js';

export interface CommandPattern {
  matches(text: string): boolean;
  /** Only this very text. */
  readonly exact: boolean;
  /** It says more than which program is run. */
  readonly detailed: boolean;
  /** A star stands behind a slash in a word: what it stands for must not lead elsewhere. */
  readonly below: boolean;
  readonly leading: LeadingWords;
  /** Whether a program of this name could be meant. */
  names(program: string): boolean;
}

const NO_FILE_BEHIND = new Set(['<<', '<<-', '<<<']);

/** `git commit:*` is `git commit *`; a last ` *` that is the only star also stands for nothing. */
export function compileCommandPattern(specifier: string): CommandPattern {
  const pattern = oneSpace(specifier.replace(/:\*$/, ' *'));
  const bare = /^[^*]+ \*$/.test(pattern) ? pattern.slice(0, -2) : undefined;
  const [first = ''] = pattern.split(' ');
  return {
    matches: (text) => text === bare || matchesWildcard(pattern, text),
    exact: !pattern.includes('*'),
    leading: leadingWords(pattern),
    detailed: !/^[^\s*]+(?:\*| \*)?$/.test(pattern),
    below: /\/[^\s]*\*/.test(pattern) && !/(?:^|[\s/])\.\.(?:\/|\s|$)/.test(pattern),
    names: (program) => matchesWildcard(first, program) || matchesWildcard(first, basename(program)),
  };
}

export function judgeCommands(pattern: CommandPattern): Judge {
  return (input, { cwd, home }) => {
    const text = (input as { command?: unknown } | null | undefined)?.command;
    if (typeof text !== 'string') return UNREADABLE;
    const line = readOnce(text, cwd, home);
    const whole = pattern.matches(oneSpace(text));
    const matches = whole || line.commands.some((command) => runsMatch(command, pattern));
    return {
      matches,
      covers: (whole && pattern.exact) || coversLine(line, pattern),
      applies:
        matches ||
        line.unreadable !== undefined ||
        line.commands.some((each) => couldBe(each, pattern)) ||
        mentions(text, line, pattern.leading) ||
        runsUnseen(line),
    };
  };
}

let last: { readonly key: string; readonly line: ShellLine } | undefined;

/** A call is held against rule after rule: its line is read for the first one. */
function readOnce(text: string, cwd: string, home: string | undefined): ShellLine {
  const key = `${cwd}\0${home}\0${text}`;
  if (last?.key !== key) last = { key, line: readShellLine(text, { cwd, variables: { HOME: home } }) };
  return last.line;
}

/** As written or without quotes, with or without what stands in front, by its path or its name: a guard looks at all of it. */
function runsMatch({ words, assignments }: ShellCommand, pattern: CommandPattern): boolean {
  const [name, ...args] = words;
  if (name === undefined) return false;
  const raw = words.map((word) => word.raw);
  const rest = args.map(({ value, raw: written }) => value ?? written);
  const program = name.value ?? name.raw;
  const ways = [
    raw,
    [...assignments.map((each) => each.raw), ...raw],
    [program, ...rest],
    [basename(program), ...rest],
    [basename(program), ...raw.slice(1)],
  ];
  return ways.some((way) => pattern.matches(oneSpace(way.join(' '))));
}

/** Every command, but those that a wrapper only runs, and those that do nothing by themselves. */
function coversLine({ commands, unreadable }: ShellLine, pattern: CommandPattern): boolean {
  const needed = commandsToCover(commands);
  return (
    unreadable === undefined && needed.length > 0 && needed.every((each) => coversCommand(each, pattern))
  );
}

/** What has to be allowed: a wrapper that does nothing but run another command needs no rule for itself. */
export function commandsToCover(commands: readonly ShellCommand[]): readonly ShellCommand[] {
  const wrappers = new Set(commands.flatMap(({ carrier, wrapped }) => (carrier && wrapped ? [carrier] : [])));
  return commands.filter((command) => {
    if (command.calls) return false;
    if (hasFile(command)) return true;
    return command.words.length === 0 ? !assignsOrdinary(command) : !wrappers.has(command);
  });
}

/** Only what surely is the command that the rule allows, and writes or reads no file beside it. */
export function coversCommand(command: ShellCommand, pattern: CommandPattern): boolean {
  const { words, fed } = command;
  const [name] = words;
  if (name?.value === undefined || name.globs || !isWrittenOut(name)) return false;
  if (hasFile(command) || !isPlainlyRun(command)) return false;
  if (fed && (pattern.exact || !takesAnyWords(name.value))) return false;
  if (!pattern.exact && !words.every((word) => word.plain && !leadsElsewhere(word, pattern))) return false;
  return pattern.matches(words.map(({ raw }) => raw).join(' '));
}

/** The command as a rule would have to name it: without what may stand in front. Empty: no rule could say all of it. */
export function commandText(command: ShellCommand): string {
  const isFed = command.fed || command.redirects.some(({ operator }) => NO_FILE_BEHIND.has(operator));
  return isFed || command.words.some(({ plain }) => !plain)
    ? ''
    : command.words.map(({ raw }) => raw).join(' ');
}

/** With which words it runs is not known, or it has options where the rule has none: a guard that may be meant is taken to be. */
function couldBe({ words: [name, ...args], fed }: ShellCommand, pattern: CommandPattern): boolean {
  if (name?.value === undefined || !pattern.detailed) return false;
  // `git-push` is `git push`.
  const [first, second] = pattern.leading.words;
  if (second !== undefined && basename(name.value) === `${first}-${second}`) return true;
  if (!pattern.names(name.value)) return false;
  const isOpen = (rest: readonly ShellWord[]): boolean =>
    fed === true || rest.some(({ value, globs }) => value === undefined || globs);
  const [, ...words] = pattern.leading.words;
  if (pattern.leading.open || pattern.leading.words.length === 0) return isOpen(args);
  const ends = endsOf(args, words);
  if (ends === undefined) return true;
  return ends.some((end) => {
    const rest = args.slice(end);
    const text = [...pattern.leading.words, ...rest.map(({ value, raw }) => value ?? raw)].join(' ');
    return isOpen(rest) || pattern.matches(oneSpace(text));
  });
}

/**
 * Where some words may end among arguments that have options between them, each with a value or without. An option among
 * the words may stand anywhere behind the one before. Undefined: an argument that is not known may be one of them.
 */
function endsOf(args: readonly ShellWord[], words: readonly string[]): readonly number[] | undefined {
  let starts = new Set([0]);
  for (const word of words) {
    const ends = new Set<number>();
    for (const at of starts) {
      const arg = args[at];
      if (arg === undefined) continue;
      if (arg.value === undefined || arg.globs) return undefined;
      if (arg.value === word || isShortFor(arg.value, word)) ends.add(at + 1);
      if (arg.value.startsWith('-') || word.startsWith('-')) starts.add(at + 1);
      if (arg.value.startsWith('-')) starts.add(at + 2);
    }
    starts = ends;
  }
  return [...starts];
}

/** `npm pub`: many programs know their commands by their first letters. */
function isShortFor(text: string, word: string): boolean {
  return /^[a-z]+$/.test(text) && word.startsWith(text) && /^[a-z]/.test(word.slice(text.length));
}

/** A redirection to or from a file, if not to nowhere. */
export function reachesFile(operator: string, { value, raw }: ShellWord): boolean {
  if (NO_FILE_BEHIND.has(operator) || raw === '/dev/null') return false;
  return value === undefined || !(operator.endsWith('&') && /^(?:\d+|-)$/.test(value));
}

function hasFile({ redirects }: ShellCommand): boolean {
  return redirects.some(({ operator, target }) => reachesFile(operator, target));
}

/** Nothing is set for it, or for what runs it, that changes what it does. */
function isPlainlyRun({ assignments, carrier }: ShellCommand): boolean {
  const isHarmless = assignments.every(
    ({ name, value }) => isHarmlessVariable(name) && value?.value !== undefined,
  );
  return isHarmless && (carrier === undefined || isPlainlyRun(carrier));
}

function assignsOrdinary({ assignments }: ShellCommand): boolean {
  return assignments.every(({ name }) => isOrdinaryVariable(name) || isHarmlessVariable(name));
}

/** Without variables: a name that comes from somewhere else is not what the rule says. */
function isWrittenOut({ raw }: ShellWord): boolean {
  return !/[$`]/.test(raw);
}

function leadsElsewhere({ value, raw }: ShellWord, { below }: CommandPattern): boolean {
  return below && /(?:^|\/)\.\.(?:\/|$)/.test(value ?? raw);
}

/** Blanks count as one; a line end stays what it is. */
function oneSpace(text: string): string {
  return text.trim().replaceAll(/[ \t]+/g, ' ');
}
