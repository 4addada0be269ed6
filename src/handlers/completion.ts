/** How one run of one hook ended: a value with exactly one kind, never an exception. */
import { toError } from '../base/errors.js';
import type { Cancellation } from './cancellation.js';

export type Completion =
  /** A callback answered. `work` is the background work it may have left. */
  | { readonly kind: 'returned'; readonly output: unknown; readonly work?: { abort(): void } }
  /**
   * A process ended by itself; `exitCode` is undefined if a signal ended it. With `answers` the source sends nothing
   * but answers (a model, a server), so plain text is not a log.
   */
  | {
      readonly kind: 'exited';
      readonly exitCode: number | undefined;
      readonly signal: string | undefined;
      readonly stdout: string;
      readonly stderr: string;
      /** A possible explanation of a failure. */
      readonly hint?: string;
      readonly answers?: true;
    }
  /** A process announced that it continues in the background. */
  | ({ readonly kind: 'detached'; readonly follow: Follow } & Announcement)
  | ({ readonly kind: 'timed-out'; readonly timeoutMs: number } & Printed)
  | ({ readonly kind: 'aborted' } & Printed)
  | { readonly kind: 'threw'; readonly error: Error }
  /** With `refuses` it stands for a guard that must not be bypassed: it refuses, regardless of its policy. */
  | { readonly kind: 'failed-to-start'; readonly message: string; readonly refuses?: true }
  /** It waited for a process slot for the whole of its timeout. */
  | { readonly kind: 'no-slot'; readonly message: string }
  | ({ readonly kind: 'too-much-output'; readonly message: string } & Printed);

/** Waits for the rest of a hook, with a new deadline from now on. Never rejects. */
export type Follow = (timeoutMs: number, cancellation: Cancellation) => Promise<Completion>;

/** How a hook announced that it continues in the background. */
export interface Announcement {
  readonly asyncTimeout?: unknown;
  /** The timeout if the announcement has none; undefined: the dialect's default. */
  readonly ownTimeoutMs?: number;
  /** Other keys of the announcement. */
  readonly beside?: readonly string[];
  /** Exit code 2 wakes the agent. */
  readonly rewake?: Rewake;
}

/** What a hook in the background says when it wakes the agent, beside what it printed. */
export interface Rewake {
  /** For the agent. */
  readonly message?: string | undefined;
  /** For people. */
  readonly summary?: string | undefined;
}

interface Printed {
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Thrown by a callback that stands for a handler which cannot be loaded: the hook failed to start. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The completion of a call that threw. Never throws, whatever the thrown value is. */
export function thrownCompletion(error: unknown): Completion {
  try {
    if (error instanceof StartError) return { kind: 'failed-to-start', message: error.message };
  } catch {
    // A proxy that cannot even be inspected.
  }
  return { kind: 'threw', error: toError(error) };
}

export const ABORTED: Completion = Object.freeze({ kind: 'aborted' });
