/** The interface of all handler kinds: a function from the context of a run to its completion. */
import type { AnyEvent } from '../events/types.js';
import type { Cancellation } from './cancellation.js';
import type { Completion } from './completion.js';

/** The context of one run of one hook. */
export interface HookRun {
  readonly event: AnyEvent;
  /** The full input, shared by all hooks of the fire: a kind that hands it out must protect it from changes. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseID: string | undefined;
  readonly agentId: string | undefined;
  readonly hookId: string;
  readonly name: string;
  readonly timeoutMs: number;
  readonly cancellation: Cancellation;
  /** How deeply this fire is nested in hooks of other fires; 1 for the outermost. */
  readonly depth: number;
  /** The input as a command reads it: encoded once per fire and shared by all its commands. */
  wire(): Uint8Array;
  /** Whether anyone receives progress. */
  readonly watched: boolean;
  /** Reports progress to listeners; does nothing without listeners or after the hook has ended. */
  onProgress(stdout: string, stderr: string): void;
}

/**
 * Checks right before a hook starts whether it may: returns undefined, or the completion to use instead. Contract:
 * never throws and never rejects; ends by the deadline.
 */
export type StartCheck = (run: HookRun) => Completion | undefined | Promise<Completion | undefined>;

/** Contract: never throws and never rejects, and always ends by the deadline. */
export type RunHook = (run: HookRun) => Completion | Promise<Completion>;
