/** How one run of one hook ended: a value with exactly one kind, never an exception. */

export type Completion =
  /** A callback answered. */
  | { readonly kind: 'returned'; readonly output: unknown }
  /** A process ended by itself; `exitCode` is undefined when a signal ended it. */
  | {
      readonly kind: 'exited';
      readonly exitCode: number | undefined;
      readonly signal: string | undefined;
      readonly stdout: string;
      readonly stderr: string;
    }
  | ({ readonly kind: 'timed-out'; readonly timeoutMs: number } & Printed)
  | ({ readonly kind: 'aborted' } & Printed)
  | { readonly kind: 'threw'; readonly error: Error }
  | { readonly kind: 'failed-to-start'; readonly message: string }
  | ({ readonly kind: 'too-much-output'; readonly message: string } & Printed);

interface Printed {
  readonly stdout?: string;
  readonly stderr?: string;
}

export const ABORTED: Completion = Object.freeze({ kind: 'aborted' });
