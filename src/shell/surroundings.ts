/** The context of a command that affects what it runs: assignments in front of it, and its input. */
import { basename } from 'node:path/posix';
import { PIPE, type Reading } from './evaluate.js';
import { isShell } from './interpreters.js';
import type { ShellCommand, ShellWord } from './line.js';
import { checkValue } from './set-variable.js';
import { heldText, UNKNOWN } from './state.js';

/** Assignments in front of these affect what they evaluate or where they go, or stay: those of special builtins in POSIX mode. */
const SEES_ASSIGNMENTS =
  /^(?:eval|let|\.|source|command|builtin|cd|chdir|pushd|popd|:|break|continue|exec|exit|export|readonly|return|set|shift|times|trap|unset)$/;

/** Bash moves redirections behind a command when it reads `$(…)` again, and then `$(> x ! rm y)` runs `rm`. */
const KEYWORD =
  /^(?:!|\[\[|\{|case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|until|while|\})$/;

/** Returns whether all later commands get its input, as after `exec < file`. */
export function checkSurroundings(command: ShellCommand, name: string, reading: Reading): boolean {
  for (const { name: variable, value } of command.assignments) {
    const [held = heldText(value?.value ?? '')] = value?.value === undefined ? UNKNOWN : [];
    checkValue(variable, held, reading);
    if (SEES_ASSIGNMENTS.test(name)) reading.state.set(variable, UNKNOWN);
  }
  if (KEYWORD.test(command.words[0]?.raw ?? '') && command.redirects.length > 0)
    reading.giveUp(`shells read \`${name}\` behind a redirection differently`);
  const files = [...command.words, ...command.redirects.map(({ target }) => target)];
  const isPipe = ({ value, raw }: ShellWord): boolean => value === PIPE && raw !== PIPE;
  if (isShell(basename(name)) && files.some(isPipe))
    reading.doubt(`what \`${name}\` runs is only known when it runs`);
  return name === 'exec' && command.redirects.some(({ operator }) => operator.startsWith('<'));
}

/**
 * A call of a function that the line defines. Its body was read without knowing what the call gives it: a shell in it may
 * run that, `cat` may show it.
 */
export function applyCall({ words: [name], piped, redirects }: ShellCommand, reading: Reading): void {
  if (piped || redirects.some(({ operator }) => operator.startsWith('<')))
    reading.giveUp(`what the function \`${name?.raw}\` does with its input is not followed`);
  reading.state.forgetEverything();
}
