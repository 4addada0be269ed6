/** What one run of a hook means, after a dialect has read how it ended. */
import type { Follow } from './completion.js';

/** `defer`: not now; the run ends and whoever started it decides later. */
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

/** Content that a hook hands over for delivery to the agent, with the way it wants to be delivered. */
export interface Injection {
  readonly content: string;
  /** Behind the tool's result, or as a message of its own. */
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
  /** Who the system message is for, where it is not for the model. */
  readonly systemMessageFor?: 'people';
  /** With `continue: false` before a tool: the run ends after that tool, not before it. */
  readonly toolFinishes?: boolean;
  readonly additionalContext?: string;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly updatedOutput?: unknown;
  /** `updatedOutput` may be any JSON value, null included, so its presence is told apart. */
  readonly hasUpdatedOutput?: boolean;
  readonly hookSpecificOutput?: Readonly<Record<string, unknown>>;
  readonly injections?: readonly Injection[];
  readonly failure?: { readonly kind: FailureKind; readonly message: string };
  /** Things worth knowing that change nothing: unknown keys, dropped keys. */
  readonly notes?: readonly string[];
  /** The hook goes on in the background; its answer is still to come. */
  readonly background?: BackgroundWork;
}

/** The rest of a hook that answered `async: true`. */
export interface BackgroundWork {
  readonly timeoutMs: number;
  /** Absent when there is nothing to wait for. */
  readonly follow?: Follow;
}

export const NO_OPINION: Verdict = Object.freeze({ outcome: 'success' });

export function failed(
  kind: FailureKind,
  message: string,
  outcome: 'error' | 'cancelled' = 'error',
): Verdict {
  return { outcome, failure: { kind, message } };
}
