/** A set of hooks to fire events at, which reports the hook of each result. */
import type { LoadedHook } from '../config/loaded.js';
import type { AnyEvent } from '../events/types.js';
import type { Explanation } from '../runner/explain.js';
import type { HookRunner } from '../runner/hook-runner.js';
import type { LateAnswer } from '../runner/late.js';
import type { HookOutcome, HookResult } from '../runner/outcome.js';
import type { Runner } from '../runner/runner.js';

/** A hook that ran, and its result. */
export interface RanHook {
  readonly hook: LoadedHook | undefined;
  readonly result: HookResult;
}

export interface Fired {
  readonly event: AnyEvent;
  readonly input: Readonly<Record<string, unknown>>;
  readonly outcome: HookOutcome;
  /** In plan order; background hooks with their final result. */
  readonly ran: readonly RanHook[];
  /** The answers of background hooks. */
  readonly late: readonly LateAnswer[];
  /** The number of background hooks that failed. */
  readonly lateFailures: number;
}

export interface FireRequest {
  readonly event: AnyEvent;
  readonly input: Readonly<Record<string, unknown>>;
  readonly agentId?: string | undefined;
  /** Only the hooks with this description run. Rejects with a HookError if there is none. */
  readonly hook?: string | undefined;
}

export interface HookSession {
  readonly runner: Runner;
  /** Fires one event at a time; resolves when background hooks have ended too. */
  fire(request: FireRequest, through?: HookRunner): Promise<Fired>;
  explain(event: AnyEvent, input: object): Explanation;
  close(): Promise<void>;
}
