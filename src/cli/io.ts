/** The environment of a command, so that a test can replace the terminal. */
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { createPrinter, type Printer } from './printer.js';

export interface Io {
  readonly printer: Printer;
  readonly cwd: string;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
  /** All of standard input. */
  readStdin(): Promise<string>;
  /** Asks the user to confirm; resolves to undefined if there is no terminal. */
  confirm(question: string): Promise<boolean | undefined>;
}

/** The Io of this process. */
export function processIo(signal: AbortSignal): Io {
  const { stdin, stdout, stderr, env } = process;
  return {
    printer: createPrinter(stdout, stderr, env),
    cwd: process.cwd(),
    signal,
    readStdin: () => text(stdin),
    confirm: async (question) => {
      if (!stdin.isTTY || !stderr.isTTY) return undefined;
      const terminal = createInterface({ input: stdin, output: stderr });
      try {
        return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal })).trim());
      } finally {
        terminal.close();
      }
    },
  };
}
