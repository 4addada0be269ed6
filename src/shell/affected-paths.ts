/** Determines from a program's arguments which files it affects. */
import { type Arguments, type KnownOptions, readArguments } from './arguments.js';

/** Files and folders, as written. */
export interface AffectedPaths {
  /** What it reads. */
  readonly reads: readonly string[];
  /** What it creates, changes or removes. */
  readonly writes: readonly string[];
  /** Whether it also reads the files of directories among them, or which of these files. */
  readonly deep?: boolean | FileFilter;
  /** Whether it also reads what links in directories among them lead to. */
  readonly follows?: boolean;
  /** Some of what it reads is named by the program's own pattern. */
  readonly unclear?: boolean;
  /** Directories it enters without reading their content. */
  readonly visits?: readonly string[];
  /** The number of files matters, so they must not be given by a glob. */
  readonly counted?: boolean;
}

/** Which files a program reads below a directory, by their names. Patterns contain `*` and `?`. */
export interface FileFilter {
  /** Only files that match one of these; hidden ones too. */
  readonly only?: readonly string[];
  /** No files or directories that match one of these. */
  readonly except?: readonly string[];
  /** Unless `only` is given: nothing whose name starts with a dot, except what an ignore file includes. */
  readonly visible?: boolean;
  /** The name of a file in the directory whose lines leave files out, as `.dockerignore` does. */
  readonly ignoredBy?: string;
}

/** A pattern for a name that every program understands in the same way. */
export function isSimplePattern(pattern: string): boolean {
  return /^[\w.*?@+-]+$/.test(pattern);
}

/** Takes the words after the program's name; returns undefined if they may mean something else. Contract: pure. */
export type Analyse = (words: readonly string[]) => AffectedPaths | undefined;

export const NOTHING: AffectedPaths = { reads: [], writes: [] };

/** Builds an analysis that runs only on arguments that are understood. */
export function analyseWith(
  known: KnownOptions,
  describe: (args: Arguments) => AffectedPaths | undefined,
): Analyse {
  return (words) => {
    const args = readArguments(words, known);
    return args && describe(args);
  };
}

/** Every operand is a file that is read; without operands, standard input, or with `orHere` the current directory. */
export function readsOperands(
  known: KnownOptions,
  { orHere = false, deep = false, follows = false } = {},
): Analyse {
  return analyseWith(known, ({ operands }) => ({
    reads: operands.length === 0 && orHere ? ['.'] : operands,
    writes: [],
    ...(deep && { deep }),
    ...(follows && { follows }),
  }));
}

/** The operands are texts. */
export function readsNothing(
  known: KnownOptions,
  { operands: most = Number.POSITIVE_INFINITY } = {},
): Analyse {
  return analyseWith(known, ({ operands }) => (operands.length > most ? undefined : NOTHING));
}
