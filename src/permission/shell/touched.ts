/** What a program touches, told from its arguments. */
import { type Arguments, type KnownOptions, readArguments } from './command-arguments.js';

export interface Touched {
  /** Files and directories it reads, as they are written. */
  readonly reads: readonly string[];
  /** Files and directories it makes, changes or removes. */
  readonly writes: readonly string[];
  /** It reads every file below a directory. */
  readonly searches?: boolean;
  /** From then on the shell is in another directory. */
  readonly moves?: boolean;
}

/** From the words after the program's name; undefined when they may mean something else. Contract: pure. */
export type Study = (words: readonly string[]) => Touched | undefined;

export const NOTHING: Touched = { reads: [], writes: [] };

/** Tells what is touched from arguments that are understood. */
export function study(known: KnownOptions, tell: (args: Arguments) => Touched | undefined): Study {
  return (words) => {
    const args = readArguments(words, known);
    return args && tell(args);
  };
}

/** Every operand is a file that is read; without any, its input, or with `orHere` the directory it runs in. */
export function readsOperands(known: KnownOptions, { orHere = false } = {}): Study {
  return study(known, ({ operands }) => ({
    reads: operands.length === 0 && orHere ? ['.'] : operands,
    writes: [],
  }));
}

/** The operands are texts. */
export function readsNothing(known: KnownOptions, { operands: most = Number.POSITIVE_INFINITY } = {}): Study {
  return study(known, ({ operands }) => (operands.length > most ? undefined : NOTHING));
}
