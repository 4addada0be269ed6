/** The specifier of a Bash rule: which commands of a shell line it matches. */
import { basename } from 'node:path/posix';
import { matchesWildcard } from '../base/text/wildcard.js';
import { takesAnyWords } from '../shell/effects.js';
import { isShell } from '../shell/interpreters.js';
import { readShellLine, type ShellCommand, type ShellLine, type ShellWord } from '../shell/read-line.js';
import { isHarmlessAssignment, isHarmlessVariable, isOrdinaryVariable } from '../shell/variables.js';
import { codeIn, inputOf, linesStartedBy } from './rule-code.js';
import { codeWritten, runsUnseen } from './rule-feed.js';
import { alikeCommands, beginningsOf, isAlike } from './rule-git.js';
import { type Judge, UNREADABLE } from './rule-judge.js';
import { type LeadingWords, leadingWords, mentions } from './rule-mention.js';
import { linesTyped } from './rule-typed.js';

export interface CommandPattern {
  matches(text: string): boolean;
  /** Matches only this exact text. */
  readonly exact: boolean;
  /** It specifies more than the program. */
  readonly detailed: boolean;
  /** A wildcard follows a slash within a word: its match must not contain `..`. */
  readonly below: boolean;
  readonly leading: LeadingWords;
  /** Whether some command of a line can do the same as what it matches, or is given such a command. */
  mayBeDoneBy(text: string, line: ShellLine): boolean;
  /** Whether it could match a program of this name. */
  names(program: string): boolean;
}

const GIT: LeadingWords = { words: ['git'], open: true };
const WITHOUT_FILE = new Set(['<<', '<<-', '<<<']);

/** `git commit:*` means `git commit *`; a trailing ` *` that is the only wildcard also matches nothing. */
export function compileCommandPattern(specifier: string): CommandPattern {
  const pattern = oneSpace(specifier.replace(/:\*$/, ' *'));
  const bare = /^[^*]+ \*$/.test(pattern) ? pattern.slice(0, -2) : undefined;
  const [first = ''] = pattern.split(' ');
  const alike = alikeCommands(pattern);
  const beginnings = beginningsOf(alike).map((words) => ({ words, open: /-$/.test(words.at(-1) ?? '') }));
  return {
    matches: (text) => text === bare || matchesWildcard(pattern, text),
    exact: !pattern.includes('*'),
    leading: leadingWords(pattern),
    detailed: !/^[^\s*]+(?:\*| \*)?$/.test(pattern),
    below: /\/[^\s]*\*/.test(pattern) && !/(?:^|[\s/])\.\.(?:\/|\s|$)/.test(pattern),
    mayBeDoneBy: (text, line) =>
      alike.length > 0 &&
      (line.commands.some((command) => isAlike(command, alike)) ||
        (mentions(text, line, GIT) && beginnings.some((each) => mentions(text, line, each)))),
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
        pattern.mayBeDoneBy(text, line) ||
        runsUnseen(line) ||
        linesInCode(line).some((started) => mayRunMatch(started, pattern)),
    };
  };
}

/** Nested code is read this deep; deeper code is not understood, or names the command. */
const MAX_DEPTH = 3;

/** The lines that code in the line starts, `os.system("find . -delete")`, and those that it types into another program. */
function linesInCode(line: ShellLine): readonly string[] {
  const written = linesStartedBy(codeWritten(line)) ?? [];
  const inCode = line.commands.flatMap((command) => [
    ...(isShell(basename(command.words[0]?.value ?? ''))
      ? []
      : (linesStartedBy(codeIn(command, inputOf(command))) ?? [])),
    ...(linesTyped(command) ?? []),
  ]);
  return [...written, ...inCode];
}

/** What is held against the line itself is held against a line that it starts. */
function mayRunMatch(text: string, pattern: CommandPattern, depth = 1): boolean {
  const line = readShellLine(text);
  return (
    line.commands.some((each) => runsMatch(each, pattern) || couldBe(each, pattern)) ||
    mentions(text, line, pattern.leading) ||
    pattern.mayBeDoneBy(text, line) ||
    (depth < MAX_DEPTH && linesInCode(line).some((started) => mayRunMatch(started, pattern, depth + 1)))
  );
}

let last: { readonly key: string; readonly line: ShellLine } | undefined;

/** A call is checked against one rule after another; its line is parsed only once. */
function readOnce(text: string, cwd: string, home: string | undefined): ShellLine {
  const key = `${cwd}\0${home}\0${text}`;
  if (last?.key !== key) last = { key, line: readShellLine(text, { cwd, variables: { HOME: home } }) };
  return last.line;
}

/** A guard checks all forms: as written or without quotes, with or without assignments, by path or by name. */
function runsMatch({ words, assignments }: ShellCommand, pattern: CommandPattern): boolean {
  const [name, ...args] = words;
  if (name === undefined) return false;
  const raw = words.map((word) => word.raw);
  const rest = args.map(({ value, raw: written }) => value ?? written);
  const program = name.value ?? name.raw;
  const forms = [
    raw,
    [...assignments.map((each) => each.raw), ...raw],
    [program, ...rest],
    [basename(program), ...rest],
    [basename(program), ...raw.slice(1)],
    // Where the file system ignores case, `RM` is `rm`.
    [basename(program).toLowerCase(), ...rest],
  ];
  return forms.some((form) => pattern.matches(oneSpace(form.join(' '))));
}

/** Covers every command except pure wrappers and commands that do nothing by themselves. */
function coversLine({ commands, unreadable }: ShellLine, pattern: CommandPattern): boolean {
  const needed = commandsToCover(commands);
  return (
    unreadable === undefined && needed.length > 0 && needed.every((each) => coversCommand(each, pattern))
  );
}

/** The commands that need an allow rule: a wrapper that only runs another command needs none. */
export function commandsToCover(commands: readonly ShellCommand[]): readonly ShellCommand[] {
  const wrappers = new Set(commands.flatMap(({ carrier, wrapped }) => (carrier && wrapped ? [carrier] : [])));
  return commands.filter((command) => {
    if (command.calls) return false;
    if (hasFile(command)) return true;
    return command.words.length === 0 ? !assignsOrdinary(command) : !wrappers.has(command);
  });
}

/** Whether it certainly is the command that the rule allows, without redirections to or from files. */
export function coversCommand(command: ShellCommand, pattern: CommandPattern): boolean {
  const { words, fed } = command;
  const [name] = words;
  if (name?.value === undefined || name.globs || !isLiteral(name)) return false;
  if (hasFile(command) || !isPlainlyRun(command)) return false;
  if (fed && (pattern.exact || !takesAnyWords(name.value))) return false;
  if (!pattern.exact && !words.every((word) => word.plain && !leadsElsewhere(word, pattern))) return false;
  return pattern.matches(words.map(({ raw }) => raw).join(' '));
}

/** The command as a rule would name it, without assignments. Empty if no rule could cover all of it. */
export function commandText(command: ShellCommand): string {
  const isFed = command.fed || command.redirects.some(({ operator }) => WITHOUT_FILE.has(operator));
  return isFed || command.words.some(({ plain }) => !plain)
    ? ''
    : command.words.map(({ raw }) => raw).join(' ');
}

/** Its words are unknown, or it has options where the rule has none: a guard that may match is treated as a match. */
function couldBe({ words: [name, ...args], fed }: ShellCommand, pattern: CommandPattern): boolean {
  if (name?.value === undefined || !pattern.detailed) return false;
  // `git-push` means `git push`.
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
 * The positions where some words may end among arguments, with options between them that may take a value. An option
 * among the words may appear anywhere after the previous word. Undefined if an unknown argument may be one of them.
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

/** `npm pub`: many programs accept abbreviated commands. */
function isShortFor(text: string, word: string): boolean {
  return /^[a-z]+$/.test(text) && word.startsWith(text) && /^[a-z]/.test(word.slice(text.length));
}

/** A redirection to or from a file other than /dev/null. */
export function reachesFile(operator: string, { value, raw }: ShellWord): boolean {
  if (WITHOUT_FILE.has(operator) || raw === '/dev/null') return false;
  return value === undefined || !(operator.endsWith('&') && /^(?:\d+|-)$/.test(value));
}

function hasFile({ redirects }: ShellCommand): boolean {
  return redirects.some(({ operator, target }) => reachesFile(operator, target));
}

/** Whether no variable that changes its behaviour is set for it or for the command that runs it. */
function isPlainlyRun({ assignments, carrier }: ShellCommand): boolean {
  const isHarmless = assignments.every(({ name, value }) => isHarmlessAssignment(name, value?.value));
  return isHarmless && (carrier === undefined || isPlainlyRun(carrier));
}

function assignsOrdinary({ assignments }: ShellCommand): boolean {
  return assignments.every(({ name }) => isOrdinaryVariable(name) || isHarmlessVariable(name));
}

/** Without variables: a name from a variable is not what the rule names. */
function isLiteral({ raw }: ShellWord): boolean {
  return !/[$`]/.test(raw);
}

function leadsElsewhere({ value, raw }: ShellWord, { below }: CommandPattern): boolean {
  return below && /(?:^|\/)\.\.(?:\/|$)/.test(value ?? raw);
}

/** Collapses blanks; line ends stay. */
function oneSpace(text: string): string {
  return text.trim().replaceAll(/[ \t]+/g, ' ');
}
