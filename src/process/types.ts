/** The shapes of one process run: what is asked for, how it can end, and the handle in between. */

export interface ProcessLimits {
  /** How long a group may go on after SIGTERM before it gets SIGKILL. */
  readonly killGraceMs: number;
  /** How long silence may last on a pipe that is still open after the process exited. */
  readonly drainGraceMs: number;
  /** How long the pipes are read after the process exited, however much still comes. */
  readonly drainCapMs: number;
  readonly maxStdoutBytes: number;
  readonly maxStderrBytes: number;
}

export const DEFAULT_LIMITS: ProcessLimits = {
  killGraceMs: 2000,
  drainGraceMs: 250,
  drainCapMs: 2000,
  maxStdoutBytes: 1_048_576,
  maxStderrBytes: 1_048_576,
};

export type OutputName = 'stdout' | 'stderr';

export interface ProcessRequest {
  /** A shell line, or a program when `args` is given. */
  readonly command: string;
  /** Exec form: the program gets exactly these arguments and no shell is involved. */
  readonly args?: readonly string[];
  /** Runs the shell line; never as a login shell. Default: `/bin/sh`. */
  readonly shell?: string;
  readonly cwd: string;
  /** The child's whole environment, but for SHLVL, which is set if it is missing. */
  readonly env: Readonly<Record<string, string>>;
  /** Written, then closed. A child that does not read it is no error. */
  readonly stdin: string | Uint8Array;
  /** An integer from 1 to 2^31-1, counted from the moment the process is started. */
  readonly timeoutMs: number;
  readonly limits?: Partial<ProcessLimits>;
  /** Text as it arrives, never a broken character, never after `done` settled. What it throws is dropped. */
  readonly onText?: (stream: OutputName, text: string) => void;
}

export interface StartFailure {
  readonly kind: 'failed-to-start';
  /** The system's name of the error, such as ENOENT. */
  readonly code: string;
  readonly message: string;
}

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly signal?: undefined }
  /** Died by a signal that was not ours. */
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'too-much-output'; readonly stream: OutputName; readonly limit: number }
  | StartFailure;

export interface ProcessResult {
  readonly end: ProcessEnd;
  /** Exact text: no byte is stripped, an invalid one becomes U+FFFD. */
  readonly stdout: string;
  readonly stderr: string;
  readonly pid?: number;
  readonly durationMs: number;
}

export interface RunningProcess {
  /** Never rejects. Exactly one end: the first reason wins. */
  readonly done: Promise<ProcessResult>;
  readonly pid: number | undefined;
  /** Ends the whole group: SIGTERM, a grace, SIGKILL. Without effect once the end is known. */
  abort(): void;
  /** Replaces the deadline, counted from now. */
  setTimeout(ms: number): void;
}
