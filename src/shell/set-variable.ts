/** Setting a variable can do more than keep a text: the shell calculates, expands or runs the values of some, and programs are given others. */
import type { Reading } from './evaluate.js';
import type { Held, Values } from './state.js';
import { isPublicVariable } from './variables.js';

/** Variables that a shell expands whenever it uses them. */
const EXPANDED = /^(?:PS[0-4]|ENV)$/;
/** Variables that a shell runs, or uses as aliases of commands. */
const RUN = /^(?:PROMPT_COMMAND|BASH_ENV|BASH_ALIASES|BASH_CMDS|MAILPATH|BASH_FUNC_.*)$/s;
/** Bash has them as integers, in some version at least: what they are set to is calculated, and a subscript in it expanded. */
const CALCULATED =
  /^(?:RANDOM|SRANDOM|SECONDS|OPTIND|HISTCMD|LINENO|BASHPID|BASH_SUBSHELL|BASH_MONOSECONDS|EPOCHSECONDS)$/;

/** Whether a variable with this value may run something. Undefined if the value is unknown. */
export function isExpandedLater(name: string, value: string | undefined): boolean {
  if (RUN.test(name)) return value !== '';
  return EXPANDED.test(name) && (value === undefined || /[$`\\]/.test(value));
}

/** A literal file can be followed by callers that know its location; only permissions cannot determine what it does. */
export function checkValue(
  name: string,
  { text, number }: Pick<Held, 'text' | 'number'>,
  reading: Reading,
): void {
  if (CALCULATED.test(name) && !number && text !== '') reading.doubt(`the shell calculates what ${name} is`);
  if (!isExpandedLater(name, text)) return;
  const why = `a shell runs what ${name} says`;
  if (name === 'BASH_ENV' && text !== undefined && !/[$`\\]/.test(text)) reading.doubt(why);
  else reading.giveUp(why);
}

/** The variable keeps its value after the command. */
export function setVariable(name: string, values: Values, reading: Reading): void {
  for (const held of values) {
    checkValue(name, held, reading);
    // It may be exported already, so that programs have the value under a name that they show.
    if (held.text === undefined && isPublicVariable(name)) reading.reveal(held.environment ?? reading.stored);
  }
  reading.state.set(name, values);
}
