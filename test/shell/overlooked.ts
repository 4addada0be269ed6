/** Compares what the reader finds in a program with what bash runs. */
import { basename } from 'node:path';
import { minimatch } from 'minimatch';
import { readShellLine } from '../../src/shell/read-line.js';

/** What ran and was not found; undefined for a program that the reader does not read. */
export function overlooked(
  program: string,
  ran: (program: string) => ReadonlySet<string>,
): readonly string[] | undefined {
  const { commands, unreadable } = readShellLine(program, { cwd: '/' });
  if (unreadable !== undefined) return undefined;
  const names = new Set(
    commands.flatMap(({ words: [name, ...args] }) => {
      const known = basename(name?.value ?? '');
      // The script that a shell is given runs too.
      return /^(?:bash|sh|source|\.)$/.test(known)
        ? [known, ...args.map(({ value = '' }) => basename(value))]
        : [known];
    }),
  );
  // So does the script that a wildcard stands for: the command is listed with the wildcard.
  const patterns = commands.flatMap(({ words: [name, ...args] }) =>
    /^(?:bash|sh)$/.test(basename(name?.value ?? ''))
      ? args.flatMap(({ value, globs }) => (globs && value !== undefined ? [value] : []))
      : [],
  );
  const isScript = (name: string): boolean => patterns.some((pattern) => minimatch(name, basename(pattern)));
  return [...ran(program)].filter((name) => !names.has(name) && !isScript(name));
}
