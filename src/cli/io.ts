/** What a command may touch of the world, so that a test can stand in for the terminal. */
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { createPrinter, type Printer } from './printer.js';

export interface Io {
  readonly printer: Printer;
  readonly cwd: string;
  /** Aborts when the user has had enough. */
  readonly signal: AbortSignal;
  /** All that is given on standard input. */
  readStdin(): Promise<string>;
  /** Asks a person for a yes; undefined where there is nobody to ask. */
  confirm(question: string): Promise<boolean | undefined>;
}

/** The io of this process. */
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
