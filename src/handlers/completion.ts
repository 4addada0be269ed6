/** How one run of one hook ended: a value with exactly one kind, never an exception. */
import { toError } from '../base/errors.js';
import type { Cancellation } from './cancellation.js';

export type Completion =
  /** A callback answered. `work` reaches what it may have left running. */
  | { readonly kind: 'returned'; readonly output: unknown; readonly work?: { abort(): void } }
  /**
   * A process ended by itself; `exitCode` is undefined when a signal ended it. With `answers` somebody was asked who says
   * nothing but answers, so that text on stdout is no log.
   */
  | {
      readonly kind: 'exited';
      readonly exitCode: number | undefined;
      readonly signal: string | undefined;
      readonly stdout: string;
      readonly stderr: string;
      /** What may explain a failure. */
      readonly hint?: string;
      readonly answers?: true;
    }
  /** A process said that it goes on in the background. */
  | ({ readonly kind: 'detached'; readonly follow: Follow } & Announcement)
  | ({ readonly kind: 'timed-out'; readonly timeoutMs: number } & Printed)
  | ({ readonly kind: 'aborted' } & Printed)
  | { readonly kind: 'threw'; readonly error: Error }
  /** With `refuses` it stands for a guard that must not be got rid of: it refuses, whatever its policy says. */
  | { readonly kind: 'failed-to-start'; readonly message: string; readonly refuses?: true }
  /** It waited for a process slot as long as it might have run, and got none. */
  | { readonly kind: 'no-slot'; readonly message: string }
  | ({ readonly kind: 'too-much-output'; readonly message: string } & Printed);

/** Waits for the rest of a hook, which has a new deadline from now on. Never rejects. */
export type Follow = (timeoutMs: number, cancellation: Cancellation) => Promise<Completion>;

/** How a hook said that it goes on in the background. */
export interface Announcement {
  readonly asyncTimeout?: unknown;
  /** How long it may take if it did not say so itself; undefined: as its dialect has it. */
  readonly ownTimeoutMs?: number;
  /** What it said besides. */
  readonly beside?: readonly string[];
}

interface Printed {
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Thrown by a callback that stands for a handler which cannot be loaded: it has not started, rather than failed. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** What a call that threw comes to. Never throws, whatever was thrown. */
export function thrownCompletion(error: unknown): Completion {
  try {
    if (error instanceof StartError) return { kind: 'failed-to-start', message: error.message };
  } catch {
    // A proxy that does not even let itself be looked at.
  }
  return { kind: 'threw', error: toError(error) };
}

export const ABORTED: Completion = Object.freeze({ kind: 'aborted' });
