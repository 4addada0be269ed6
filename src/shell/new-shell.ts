/** What is known in a shell that a line starts: in a substitution, and after `sh -c` and similar commands. */
import { basename } from 'node:path/posix';
import type { ParsedScript } from 'unbash';
import type { ShellCommand } from './line.js';
import { heldText, type ShellState, UNKNOWN } from './state.js';

/** They pass on their own environment. */
const KEEP_ENVIRONMENT = new Set(
  'sh bash dash zsh ksh ash env exec command builtin nohup time timeout gtimeout nice ionice stdbuf setsid xargs find flock watch'.split(
    ' ',
  ),
);

/** A new shell has the environment and the assignments in front of it; which of our variables it gets is unknown. */
export function enterShell(state: ShellState, carrier: ShellCommand | undefined): void {
  if (carrier === undefined) {
    state.forgetOwn();
    return;
  }
  enterShell(state, carrier.carrier);
  if (!keepsEnvironment(carrier)) state.forgetAll();
  for (const { name, value } of carrier.assignments)
    state.set(name, value?.value === undefined ? UNKNOWN : [heldText(value.value)]);
}

function keepsEnvironment({ words: [name, first] }: ShellCommand): boolean {
  const program = basename(name?.value ?? '');
  const isCleared = program === 'env' && /^-(?!S|-split-string)/.test(first?.value ?? '');
  return KEEP_ENVIRONMENT.has(program) && !isCleared;
}

/** `a`, or `a || b`: the number of commands of which one determines the output. 0 if it is not that simple. */
export function countAlternatives(script: ParsedScript | undefined): number {
  const [only, ...more] = script?.commands ?? [];
  if (only === undefined || more.length > 0) return 0;
  const { command } = only;
  if (command.type === 'Command') return 1;
  const isSimple =
    command.type === 'AndOr' &&
    command.operators.every((operator) => operator === '||') &&
    command.commands.every(({ type }) => type === 'Command');
  return isSimple ? command.commands.length : 0;
}

/** What its last command prints is then what the script prints. */
export function isOnePipeline(script: ParsedScript | undefined): boolean {
  const [only, ...more] = script?.commands ?? [];
  const isOne = more.length === 0 && only?.background !== true;
  return isOne && (only?.command.type === 'Pipeline' || only?.command.type === 'Command');
}
