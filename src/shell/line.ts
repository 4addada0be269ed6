/** A parsed shell line: the commands that it may run, word by word, and whether the list is complete. */

/**
 * What a command prints, if its kind is known: digits and blanks, ids of commits, names of files, or some text.
 */
export type Output =
  | {
      readonly kind: 'number' | 'revision' | 'text';
      /** It cannot be an option: an absolute path, or the name of a branch. */
      readonly isName?: true;
    }
  | Listing;

/** Names of files, all below some folders. */
export interface Listing {
  readonly kind: 'files';
  /** Where the command ran that lists them. */
  readonly base: readonly string[] | undefined;
  /** The folders that are searched, as written; empty for the files that git tracks. */
  readonly folders: readonly string[];
  /** Directories of these names are left out; with `./` only the one directly in the folder. */
  readonly except: readonly string[];
  /** The pattern that the last name of each matches. */
  readonly only?: string;
  /** No links are among them. */
  readonly regular: boolean;
  /** Hidden files are left out, and others that `.gitignore` names. */
  readonly visible: boolean;
  /** Only what is directly in a folder, by its name alone. */
  readonly flat: boolean;
  /** Names start at the top of the repository, wherever the command runs. */
  readonly fromTop: boolean;
  /** Each name ends with a null character. */
  readonly nulls: boolean;
  /** Each name is a word of its own, whatever characters it contains. */
  readonly whole: boolean;
}

/** One word of a command, after quotes, braces and variables. */
export interface ShellWord {
  /** As written. */
  readonly raw: string;
  /** Its value; undefined if only a running shell knows it. */
  readonly value: string | undefined;
  /** Contains an unquoted `*`, `?` or `[`: it may expand to file names. */
  readonly globs: boolean;
  /** It may become several words, or none. */
  readonly splits: boolean;
  /** Literal, except for `$name` of variables that the line does not set to something unknown. */
  readonly plain: boolean;
  /** The environment variables whose values it may contain, also by way of variables of the line. */
  readonly environment: readonly string[];
  /** If the value is not known, but what kind of text it is: a text like it, as far as options and paths matter. */
  readonly sample?: string;
  /** The files that it names, if it names some that a command of the line lists. */
  readonly listing?: Listing;
  /** If the value is not known: what is left of it when all that is unknown is empty, and where the first of that stands. */
  readonly known?: string;
  readonly hole?: number;
  /** The line may put any text at its beginning, or words of its own into it: an option too. */
  readonly open?: boolean;
}

/** A redirection of a command: its operator and its file. */
export interface ShellRedirect {
  readonly operator: string;
  /** The stream, if given as a number: 2 in `2>file`. */
  readonly descriptor?: number;
  /** The file; for a here-document its text. */
  readonly target: ShellWord;
}

/** An assignment in front of a command, or on its own. */
export interface ShellAssignment {
  readonly name: string;
  readonly raw: string;
  readonly value: ShellWord | undefined;
}

/** One program with its arguments. Without words it only assigns or redirects. */
export interface ShellCommand {
  /** The program and its arguments, without assignments and redirections. */
  readonly words: readonly ShellWord[];
  readonly assignments: readonly ShellAssignment[];
  readonly redirects: readonly ShellRedirect[];
  /** The directories it may run in; undefined if unknown. */
  readonly folders: readonly string[] | undefined;
  /** The possible values of PATH, if the line sets it; undefined for a value that only a running shell knows. */
  readonly searched?: readonly (string | undefined)[];
  /** The command that runs it, such as `sudo` or `find -exec`. */
  readonly carrier?: ShellCommand;
  /** The carrier only runs this command and does nothing of its own. */
  readonly wrapped?: boolean;
  /** The carrier adds unknown words. */
  readonly fed?: boolean;
  /** What the unknown words are; they follow the others, or are among them. */
  readonly feed?: { readonly output: Output; readonly appended: boolean };
  /** Its input comes from another command. */
  readonly piped?: boolean;
  /** What that command prints, if it is known. */
  readonly input?: Output;
  /** It calls a function that the line defines; the function's commands are listed. */
  readonly calls?: boolean;
}

/** All that a line may run, and whether that is certain. */
export interface ShellLine {
  /** In the order in which they are written; the command that a carrier runs follows it. */
  readonly commands: readonly ShellCommand[];
  /** Why there may be commands that are not listed. Undefined if the list is complete. */
  readonly unreadable: string | undefined;
  /**
   * The same, but only if no listed command shows it: not for a program whose name is unknown, a shell that runs its
   * input, or values that are evaluated, such as `x` in `$((x))`.
   */
  readonly unlisted: string | undefined;
  /** The files that `[[ -f file ]]` and similar expressions test for, as absolute paths. */
  readonly tested: readonly string[];
  /** The environment variables whose values it uses. */
  readonly environment: readonly string[];
  /** Those of them whose values it may show by itself: in the error of a calculation, or by a match with a pattern. */
  readonly revealed: readonly string[];
  /** Commands may run more than once, or in another order: there is a loop, a function or a background job. */
  readonly repeats: boolean;
}

/** What is known before a line is read. */
export interface ShellContext {
  /** The directory it starts in. Without it, no directory is known. */
  readonly cwd?: string | undefined;
  /** Values of variables; undefined: set to something that is not known. `HOME` is the value of `~`. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether `variables` is complete: any other variable is unset. */
  readonly complete?: boolean | undefined;
  /** The output of `$(…)` around a single command, if known; null if the command fails. Must not throw. */
  substitute?(words: readonly string[], folder: string | undefined): string | null | undefined;
}
