/** What a fire comes to: one result per hook, and one outcome that an agent loop obeys. */
import type { AnyEvent, HookSpecificOutput } from '../events/types.js';
import type { FailureKind, Injection, PermissionDecision } from '../handlers/verdict.js';

/** One hook of a fire, in plan order. */
export interface HookResult<E extends string = AnyEvent> {
  readonly hookId: string;
  readonly name: string;
  readonly outcome: 'success' | 'error' | 'cancelled';
  readonly durationMs: number;
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** `approve` and `block` are already `allow` and `deny` here. */
  readonly decision?: PermissionDecision;
  /** The same as `reason`, under the name that results have in other implementations. */
  readonly message?: string;
  readonly reason?: string;
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly suppressOutput?: boolean;
  readonly systemMessage?: string;
  /** Who the system message is for, where it is not for the model. */
  readonly systemMessageFor?: 'people';
  /** With `continue: false` before a tool: the run ends after that tool, not before it. */
  readonly toolFinishes?: boolean;
  readonly hookSpecificOutput?: HookSpecificOutput<E>;
  readonly failure?: HookFailure;
  /** Things worth knowing that change nothing. */
  readonly notes?: readonly string[];
}

/** A hook that has no valid answer, and why. */
export interface HookFailure {
  readonly hookId: string;
  readonly name: string;
  readonly kind: FailureKind;
  readonly message: string;
  /** Whether the failure refused what the event asks about, because of `onFailure: 'block'`. */
  readonly blocked: boolean;
}

/** A hook whose answer is still to come. */
export interface PendingHook<E extends string = AnyEvent> {
  readonly hookId: string;
  readonly name: string;
  /** Never rejects. */
  readonly completion: Promise<HookResult<E>>;
}

/** Something worth knowing that changes nothing: a conflict of rewrites, unknown keys. */
export interface HookNote {
  readonly hookId: string;
  readonly name: string;
  readonly message: string;
}

/**
 * What all hooks of one fire say together. Everything in it is read-only; lists that are empty are shared.
 */
export interface HookOutcome<E extends string = AnyEvent> {
  readonly event: E;
  /** One for each hook that ran, in plan order. */
  readonly results: readonly HookResult<E>[];
  /** Undefined: no hook has an opinion. */
  readonly decision?: PermissionDecision;
  readonly reason?: string;
  /** False: the loop ends with `stopReason`. True: a hook asked to go on. */
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly suppressOutput: boolean;
  /** What hooks say beside their answers, in plan order. */
  readonly systemMessages: readonly string[];
  /** What the model is to be told with the next request, in plan order. */
  readonly additionalContext: readonly string[];
  /** The whole new tool input; the tool's schema and its permission are checked again on it. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** The whole new tool output. */
  readonly updatedOutput?: unknown;
  /** As the hooks gave them, in plan order. */
  readonly hookSpecificOutputs: readonly HookSpecificOutput<E>[];
  /** Content for the agent, each with its own way of delivery. */
  readonly injections: readonly Injection[];
  /** Every hook without a valid answer. */
  readonly failures: readonly HookFailure[];
  /** Hooks that go on in the background. */
  readonly pending: readonly PendingHook<E>[];
  /** What is worth knowing and changes nothing. */
  readonly notes: readonly HookNote[];
  /** The fire's signal ended it, or the runner was disposed: hooks may be missing from `results`. */
  readonly aborted: boolean;
}
