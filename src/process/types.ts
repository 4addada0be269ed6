/** The types of one process run: the request, its possible ends, and the handle in between. */

export interface ProcessLimits {
  /** How long a group may continue after SIGTERM before it gets SIGKILL. */
  readonly killGraceMs: number;
  /** How long an open pipe may be silent after the process exited. */
  readonly drainGraceMs: number;
  /** How long the pipes are read after the process exited, however much output still arrives. */
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
  /** A shell line, or a program if `args` is given. */
  readonly command: string;
  /** Exec form: the program gets exactly these arguments, without a shell. */
  readonly args?: readonly string[];
  /** Runs the shell line; never as a login shell. Default: `/bin/sh`. */
  readonly shell?: string;
  readonly cwd: string;
  /** The child's complete environment, except SHLVL, which is set if missing. */
  readonly env: Readonly<Record<string, string>>;
  /** Written, then closed. A child that does not read it is not an error. */
  readonly stdin: string | Uint8Array;
  /** An integer from 1 to 2^31-1, counted from the start of the process. */
  readonly timeoutMs: number;
  readonly limits?: Partial<ProcessLimits>;
  /** Receives text as it arrives, never a split character, never after `done` settled. Errors it throws are ignored. */
  readonly onText?: (stream: OutputName, text: string) => void;
  /** False: output goes to `onText` alone, however much there is. Default: true, up to the limits. */
  readonly keepsOutput?: boolean;
}

export interface StartFailure {
  readonly kind: 'failed-to-start';
  /** The system's error name, such as ENOENT. */
  readonly code: string;
  readonly message: string;
}

export type ProcessEnd =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly signal?: undefined }
  /** Ended by a signal that we did not send. */
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
  /** Ends the whole group: SIGTERM, a grace period, SIGKILL. No effect once the end is known. */
  abort(): void;
  /** Replaces the timeout, counted from now. */
  setTimeout(ms: number): void;
}
