/** Hooks that are ready to be fired, and for each result the hook that gave it. */
import type { LoadedHook } from '../config/loaded.js';
import type { AnyEvent } from '../events/types.js';
import type { Explanation } from '../runner/explain.js';
import type { HookRunner } from '../runner/hook-runner.js';
import type { LateAnswer } from '../runner/late.js';
import type { HookOutcome, HookResult } from '../runner/outcome.js';
import type { Runner } from '../runner/runner.js';

/** A hook that ran, and what it came to. */
export interface RanHook {
  readonly hook: LoadedHook | undefined;
  readonly result: HookResult;
}

export interface Fired {
  readonly event: AnyEvent;
  readonly input: Readonly<Record<string, unknown>>;
  readonly outcome: HookOutcome;
  /** In plan order; hooks that went to the background as they ended. */
  readonly ran: readonly RanHook[];
  /** What hooks in the background had to tell in the end. */
  readonly late: readonly LateAnswer[];
  /** Failures of hooks in the background. */
  readonly lateFailures: number;
}

export interface FireRequest {
  readonly event: AnyEvent;
  readonly input: Readonly<Record<string, unknown>>;
  readonly agentId?: string | undefined;
}

export interface HookSession {
  readonly runner: Runner;
  /** One fire at a time; resolves when hooks in the background have ended too. */
  fire(request: FireRequest, through?: HookRunner): Promise<Fired>;
  explain(event: AnyEvent, input: object): Explanation;
  close(): Promise<void>;
}
