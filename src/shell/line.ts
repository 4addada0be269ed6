/** A shell line as it was read: the commands that it may run, word by word, and whether that is all of it. */

/** One word of a command, after quotes, braces and variables. */
export interface ShellWord {
  /** As it is written. */
  readonly raw: string;
  /** What it comes to; undefined when only a running shell knows. */
  readonly value: string | undefined;
  /** `*`, `?` or `[` stand in it unquoted: it may become the names of files. */
  readonly globs: boolean;
  /** It may become several words, or none. */
  readonly splits: boolean;
  /** Written out, but for `$name` of variables that the line does not set to something unknown. */
  readonly plain: boolean;
  /** The environment variables whose values it shows. */
  readonly environment: readonly string[];
}

export interface ShellRedirect {
  readonly operator: string;
  /** The stream, where it is given as a number: 2 in `2>file`. */
  readonly descriptor?: number;
  /** The file; for a here-document its text. */
  readonly target: ShellWord;
}

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
  /** The directories that it may run in; undefined when that is unknown. */
  readonly folders: readonly string[] | undefined;
  /** What PATH may be, where the line has set it; undefined for a value that only a running shell knows. */
  readonly searched?: readonly (string | undefined)[];
  /** The command that runs it, such as `sudo` or `find -exec`. */
  readonly carrier?: ShellCommand;
  /** The carrier only runs this command: it does nothing of its own. */
  readonly wrapped?: boolean;
  /** The carrier adds words that nobody has seen. */
  readonly fed?: boolean;
  /** Its input comes from another command. */
  readonly piped?: boolean;
  /** It calls a function that the line defines; what the function does is listed. */
  readonly calls?: boolean;
}

export interface ShellLine {
  /** In the order in which they are written; what a carrier runs follows it. */
  readonly commands: readonly ShellCommand[];
  /** Why there may be commands that are not listed. Undefined: all of them are. */
  readonly unreadable: string | undefined;
  /**
   * The same where no command of the list shows it: not for a program whose name is not known, or a shell that runs its
   * input, nor for values that are evaluated, such as `x` in `$((x))`.
   */
  readonly unlisted: string | undefined;
  /** The files that `[[ -f file ]]` and its like test for, as full paths. */
  readonly tested: readonly string[];
  /** Commands may run more than once, or in another order: there is a loop, a function or a background job. */
  readonly repeats: boolean;
}

/** What is known when a line is read. */
export interface ShellContext {
  /** Where it starts. Without it, no directory is known. */
  readonly cwd?: string | undefined;
  /** Values of variables. `HOME` is what `~` stands for. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
  /** `variables` are all there are: any other is not set. */
  readonly complete?: boolean | undefined;
  /** What `$(…)` around a single command comes to, for those who can tell; null: the command fails. */
  substitute?(words: readonly string[], folder: string | undefined): string | null | undefined;
}
