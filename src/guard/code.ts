/** Code that a command hands to an interpreter: in an option, in a here-document, or from a pipe. */
import type { ReadCommand } from './commands.js';

const INTERPRETERS =
  /^(?:python[\d.]*|pypy3?|ipython3?|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|php|lua|julia|osascript|Rscript|pwsh|powershell(?:\.exe)?|emacs)$/;

/**
 * The texts that an interpreter runs as code; none for other programs. `line` is the line that the command stands in: of
 * code that another command pipes to it, no more is known. Never throws.
 */
export function codeIn(
  { program = '', args, given, operands, piped }: ReadCommand,
  line: string,
): readonly string[] {
  if (!INTERPRETERS.test(program)) return [];
  const isFed = piped && operands.every((word) => word === '-' || !/\.\w+$/.test(word));
  return [...args.filter((arg) => /[\s(.]/.test(arg)), ...given, ...(isFed ? [line] : [])];
}
