/** What stands before the real command of a simple command: assignments, and programs that only run another one. */
import type { ShellWord } from './line.js';

type Words = readonly ShellWord[];

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
/** Variables that change how a program talks, not what it runs. */
const HARMLESS =
  /^(?:CI|COLUMNS|FORCE_COLOR|LANG|LANGUAGE|LC_\w+|LINES|NODE_ENV|NO_COLOR|PYTHONUNBUFFERED|RUST_BACKTRACE|TERM|TZ)=/;

const MOST_WRAPPERS = 16;

/** How many words each wrapper takes for itself; undefined when it is not used as a wrapper. */
const WRAPPERS: Readonly<Record<string, (words: Words) => number | undefined>> = {
  timeout: (words) => {
    const options = countOptions(words, /^(?:-k|-s|--kill-after|--signal)$/, /^-/);
    return /^\d/.test(words[options]?.plain ?? '') ? options + 1 : undefined;
  },
  time: (words) => countOptions(words, undefined, /^-p$/),
  nice: (words) => countOptions(words, /^(?:-n|--adjustment)$/, /^(?:-\d+|-n-?\d+|--adjustment=.*)$/),
  nohup: () => 1,
  stdbuf: (words) => countOptions(words, /^(?:-[ioe]|--(?:input|output|error))$/, /^(?:-[ioe]|--\w+=)/),
  command: (words) => (/^-/.test(words[1]?.plain ?? '') ? (isAt(words, 1, '-p') ? 2 : undefined) : 1),
  builtin: () => 1,
  noglob: () => 1,
  xargs: (words) => (/^-/.test(words[1]?.plain ?? '') ? undefined : 1),
};

export function isAssignment(word: ShellWord): boolean {
  return ASSIGNMENT.test(word.raw);
}

/**
 * The command as it is written, and what is left of it each time something in front is taken away; the last one is
 * the command that really runs. With `harmless`, an assignment that could change what runs stays where it is.
 * Undefined: there is more in front than anybody writes.
 */
export function unwrapped(words: Words, assignments: 'all' | 'harmless'): readonly Words[] | undefined {
  const stages = [words];
  for (let rest = words; stages.length <= MOST_WRAPPERS; ) {
    const count = countInFront(rest, assignments);
    if (count === 0 || count >= rest.length) return stages;
    rest = rest.slice(count);
    stages.push(rest);
  }
  return undefined;
}

function countInFront(words: Words, assignments: 'all' | 'harmless'): number {
  const isTaken = (word: ShellWord): boolean =>
    isAssignment(word) && (assignments === 'all' || (HARMLESS.test(word.raw) && !word.dynamic));
  let count = 0;
  for (const word of words) {
    if (!isTaken(word)) break;
    count += 1;
  }
  const name = words[0]?.plain ?? '';
  if (count > 0 || !Object.hasOwn(WRAPPERS, name)) return count;
  return WRAPPERS[name]?.(words) ?? 0;
}

/** The wrapper itself and its options, of which some take the next word as their value. */
function countOptions(words: Words, withValue: RegExp | undefined, alone: RegExp): number {
  let count = 1;
  while (count < words.length) {
    const word = words[count]?.plain ?? '';
    if (withValue?.test(word) === true) count += 2;
    else if (alone.test(word)) count += 1;
    else break;
  }
  return count;
}

function isAt(words: Words, index: number, text: string): boolean {
  return words[index]?.plain === text;
}
