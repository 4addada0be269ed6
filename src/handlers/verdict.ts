/** The meaning of one run of a hook, after a dialect has read how it ended. */
import type { Follow, Rewake } from './completion.js';

/** `defer`: not now; the run ends, and the caller that started it decides later. */
export type PermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';

/** Why a hook has no valid answer. */
export type FailureKind =
  | 'timed-out'
  | 'aborted'
  | 'threw'
  | 'failed-to-start'
  | 'no-slot'
  | 'too-much-output'
  | 'exit-code'
  | 'signal'
  | 'invalid-output';

/** Content that a hook returns for delivery to the agent, with a delivery strategy. */
export interface Injection {
  readonly content: string;
  /** After the tool's result, or as a separate message. */
  readonly strategy: 'tool_result' | 'user_message';
}

export interface Verdict {
  readonly outcome: 'success' | 'error' | 'cancelled';
  readonly decision?: PermissionDecision;
  readonly reason?: string;
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly suppressOutput?: boolean;
  readonly systemMessage?: string;
  /** Set if the system message is not for the model. */
  readonly systemMessageFor?: 'people';
  /** With `continue: false` before a tool: the run ends after that tool, not before it. */
  readonly toolFinishes?: boolean;
  readonly additionalContext?: string;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly updatedOutput?: unknown;
  /** `updatedOutput` may be any JSON value, including null, so its presence has its own flag. */
  readonly hasUpdatedOutput?: boolean;
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>>;
  readonly injections?: readonly Injection[];
  readonly failure?: { readonly kind: FailureKind; readonly message: string };
  /** Observations that change nothing: unknown keys, dropped keys. */
  readonly notes?: readonly string[];
  /** The hook continues in the background; its answer is still to come. */
  readonly background?: BackgroundWork;
}

/** The rest of a hook that answered `async: true`. */
export interface BackgroundWork {
  readonly timeoutMs: number;
  /** Absent if there is nothing to wait for. */
  readonly follow?: Follow;
  /** Exit code 2 wakes the agent; the hook is not awaited. */
  readonly rewake?: Rewake;
}

export const NO_OPINION: Verdict = Object.freeze({ outcome: 'success' });

export function failed(
  kind: FailureKind,
  message: string,
  outcome: 'error' | 'cancelled' = 'error',
): Verdict {
  return { outcome, failure: { kind, message } };
}
