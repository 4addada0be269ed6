/** A shell line, taken apart. */
import type { ShellWord } from './bash-command-word.js';

export type { ShellWord } from './bash-command-word.js';

export interface ShellRedirect {
  readonly operator: string;
  readonly target: ShellWord;
}

/** One program with its arguments. Without words it is a redirection by itself, which still touches a file. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  readonly redirects: readonly ShellRedirect[];
}

export interface ShellLine {
  readonly commands: readonly ShellCommand[];
  /** False: there may be commands that were not found. */
  readonly readable: boolean;
  /**
   * Commands that run one after the other or in a pipe, each at most once, and nothing else: no substitution, group,
   * control flow, function, background job, or text that is expanded. Variables may still be in the words.
   */
  readonly simple: boolean;
}
