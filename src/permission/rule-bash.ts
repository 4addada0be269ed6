/** The specifier of a Bash rule: what it says about the commands of a shell line. */
import { matchesWildcard } from '../text/wildcard.js';
import { type Judge, UNREADABLE } from './rule-judge.js';
import { readShellLine } from './shell/bash-command.js';
import { isAssignment, unwrapped } from './shell/bash-command-wrappers.js';
import type { ShellCommand, ShellWord } from './shell/line.js';

export interface CommandPattern {
  matches(text: string): boolean;
  /** Only this very text. */
  readonly exact: boolean;
  /** It says more than which program is run. */
  readonly detailed: boolean;
}

const NO_FILE_BEHIND = new Set(['<<', '<<-', '<<<']);
/** Programs that run their arguments: a rule with a star would let through whatever stands there. */
const RUNS_ARGUMENTS = new Set(['watch', 'setsid', 'ionice', 'flock']);
const FIND_RUNS = /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/;

/** `git commit:*` is `git commit *`; a last ` *` that is the only star also stands for nothing. */
export function compileCommandPattern(specifier: string): CommandPattern {
  const pattern = oneSpace(specifier.replace(/:\*$/, ' *'));
  const bare = /^[^*]+ \*$/.test(pattern) ? pattern.slice(0, -2) : undefined;
  return {
    matches: (text) => text === bare || matchesWildcard(pattern, text),
    exact: !pattern.includes('*'),
    detailed: !/^[^\s*]+(?:\*| \*)?$/.test(pattern),
  };
}

export function judgeCommands(pattern: CommandPattern): Judge {
  return (input) => {
    const line = (input as { command?: unknown } | null | undefined)?.command;
    if (typeof line !== 'string') return UNREADABLE;
    const { commands, readable } = readShellLine(line);
    const whole = pattern.matches(oneSpace(line));
    const matches = whole || commands.some((command) => runsMatch(command, pattern));
    const exactly = whole && pattern.exact;
    if (!readable) return { matches: true, covers: exactly, applies: true };
    return {
      matches,
      covers:
        exactly || (commands.length > 0 && commands.every((command) => coversCommand(command, pattern))),
      applies: matches || commands.some((command) => couldBe(command, pattern)),
    };
  };
}

/** As written or without quotes, with or without what stands in front: a guard looks at all of it. */
function runsMatch({ words }: ShellCommand, pattern: CommandPattern): boolean {
  const stages = unwrapped(words, 'all');
  const fits = (rest: readonly ShellWord[]): boolean =>
    pattern.matches(join(rest, 'raw')) || pattern.matches(join(rest, 'plain'));
  return stages === undefined || stages.some(fits);
}

/** Only what surely is the command that the rule allows, and writes or reads no file beside it. */
export function coversCommand({ words, redirects }: ShellCommand, pattern: CommandPattern): boolean {
  const real = unwrapped(words, 'harmless')?.at(-1) ?? [];
  const [name] = real;
  if (name === undefined || name.dynamic || name.expands || isAssignment(name)) return false;
  if (redirects.some(({ operator, target }) => reachesFile(operator, target))) return false;
  if (!pattern.exact && runsSomethingElse(real)) return false;
  return pattern.matches(join(real, 'raw'));
}

/** The command as a rule would have to name it: without what may stand in front. Empty: no rule could say all of it. */
export function commandText({ words, redirects }: ShellCommand): string {
  const stages = unwrapped(words, 'harmless') ?? [];
  const isFed =
    stages.some(([name]) => name?.plain === 'xargs') ||
    redirects.some(({ operator }) => NO_FILE_BEHIND.has(operator));
  return isFed ? '' : join(stages.at(-1) ?? [], 'raw');
}

/** Nobody can tell what will run, or with what: the condition of a hook is then taken as met. */
function couldBe({ words }: ShellCommand, pattern: CommandPattern): boolean {
  const name = unwrapped(words, 'all')?.at(-1)?.[0];
  if (name?.dynamic === true || name?.expands === true) return true;
  return pattern.detailed && words.some(({ dynamic }) => dynamic);
}

/** A redirection to or from a file, if not to nowhere. */
export function reachesFile(operator: string, { plain, dynamic, raw }: ShellWord): boolean {
  if (NO_FILE_BEHIND.has(operator) || raw === '/dev/null') return false;
  return dynamic || !(operator.endsWith('&') && /^(?:\d+|-)$/.test(plain));
}

function runsSomethingElse(words: readonly ShellWord[]): boolean {
  const name = words[0]?.plain ?? '';
  return RUNS_ARGUMENTS.has(name) || (name === 'find' && words.some(({ plain }) => FIND_RUNS.test(plain)));
}

function join(words: readonly ShellWord[], key: 'raw' | 'plain'): string {
  return words.map((word) => word[key]).join(' ');
}

function oneSpace(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
