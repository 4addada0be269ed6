/** What every kind of hook has in common: one signature, from a run's circumstances to a completion. */
import type { AnyEvent } from '../events/types.js';
import type { Cancellation } from './cancellation.js';
import type { Completion } from './completion.js';

/** The circumstances of one run of one hook. */
export interface HookRun {
  readonly event: AnyEvent;
  /** The full input, shared by all hooks of the fire: a kind that hands it out must protect it. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseID: string | undefined;
  readonly agentId: string | undefined;
  readonly hookId: string;
  readonly name: string;
  readonly timeoutMs: number;
  readonly cancellation: Cancellation;
  /** How deep this fire is nested in hooks of other fires; 1 for the outermost. */
  readonly depth: number;
  /** The input as a command reads it: made once per fire and shared by all its commands. */
  wire(): Uint8Array;
  /** Whether anybody would notice progress. */
  readonly watched: boolean;
  /** Tells those who watch; does nothing when nobody does or the hook has already ended. */
  onProgress(stdout: string, stderr: string): void;
}

/**
 * Looks once more, right before a hook starts, whether it may: undefined, or what it comes to instead. Contract: never
 * throws and never rejects; ends by the deadline.
 */
export type StartCheck = (run: HookRun) => Completion | undefined | Promise<Completion | undefined>;

/** Contract: never throws and never rejects; ends by the deadline, whatever the hook does. */
export type RunHook = (run: HookRun) => Completion | Promise<Completion>;
