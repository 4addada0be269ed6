/** Writes a command hook down, for use wherever a callback can be used. */
import type { CommandHook } from '../handlers/types.js';

/** Everything about a command but its line. */
export type CommandOptions = Omit<CommandHook, 'type' | 'command'>;

/**
 * A program as a hook: it reads the event's input as JSON on stdin and answers with JSON on stdout, or with its exit
 * code (0: fine, 2: refuse, with the reason on stderr). Other text on stdout is no answer, and no mistake.
 *
 * The line goes to `/bin/sh -c`; with `args` it is a program that gets exactly these arguments, without a shell.
 * Writes down only and never throws: what cannot be used is refused where it is registered.
 */
export function command(line: string, options: CommandOptions = {}): CommandHook {
  return { ...options, type: 'command', command: line };
}
