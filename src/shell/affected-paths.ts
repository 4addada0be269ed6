/** What a program touches, told from its arguments. */
import { type Arguments, type KnownOptions, readArguments } from './arguments.js';

/** Files and folders, as they are written. */
export interface AffectedPaths {
  /** What it reads. */
  readonly reads: readonly string[];
  /** What it makes, changes or removes. */
  readonly writes: readonly string[];
  /** Of a directory among them it reads the files too; `visible`: not those whose names begin with a dot. */
  readonly deep?: boolean | 'visible';
  /** Some of what it reads is named by a pattern of its own. */
  readonly unclear?: boolean;
  /** Where it works, without reading what is there. */
  readonly visits?: readonly string[];
  /** How many files there are counts, so that a pattern must not stand for them. */
  readonly counted?: boolean;
}

/** From the words after the program's name; undefined when they may mean something else. Contract: pure. */
export type Study = (words: readonly string[]) => AffectedPaths | undefined;

export const NOTHING: AffectedPaths = { reads: [], writes: [] };

/** Tells what is touched from arguments that are understood. */
export function study(known: KnownOptions, tell: (args: Arguments) => AffectedPaths | undefined): Study {
  return (words) => {
    const args = readArguments(words, known);
    return args && tell(args);
  };
}

/** Every operand is a file that is read; without any, its input, or with `orHere` the directory it runs in. */
export function readsOperands(known: KnownOptions, { orHere = false, deep = false } = {}): Study {
  return study(known, ({ operands }) => ({
    reads: operands.length === 0 && orHere ? ['.'] : operands,
    writes: [],
    ...(deep && { deep }),
  }));
}

/** The operands are texts. */
export function readsNothing(known: KnownOptions, { operands: most = Number.POSITIVE_INFINITY } = {}): Study {
  return study(known, ({ operands }) => (operands.length > most ? undefined : NOTHING));
}
