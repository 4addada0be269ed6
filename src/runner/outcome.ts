/** The result of a fire: one result per hook, and one outcome that an agent loop acts on. */
import type {
  AddsNoContext,
  AnyEvent,
  HookSpecificOutput,
  KeepsInput,
  KeepsOutput,
  NeverDecides,
} from '../events/types.js';
import type { FailureKind, Injection, PermissionDecision } from '../handlers/verdict.js';

/** The result of one hook of a fire. */
export interface HookResult<E extends string = AnyEvent> {
  readonly hookId: string;
  readonly name: string;
  readonly outcome: 'success' | 'error' | 'cancelled';
  readonly durationMs: number;
  readonly exitCode?: number;
  readonly stdout?: string;
  readonly stderr?: string;
  /** `approve` and `block` are already converted to `allow` and `deny`. */
  readonly decision?: PermissionDecision;
  /** The same as `reason`, under the name that other implementations use. */
  readonly message?: string;
  readonly reason?: string;
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly suppressOutput?: boolean;
  readonly systemMessage?: string;
  /** Set if the system message is not for the model. */
  readonly systemMessageFor?: 'people';
  /** With `continue: false` before a tool: the run ends after that tool, not before it. */
  readonly toolFinishes?: boolean;
  readonly hookSpecificOutput?: HookSpecificOutput<E>;
  readonly failure?: HookFailure;
  /** Observations that change nothing. */
  readonly notes?: readonly string[];
}

/** A hook without a valid answer, and why. */
export interface HookFailure {
  readonly hookId: string;
  readonly name: string;
  readonly kind: FailureKind;
  readonly message: string;
  /** Whether the failure refused what the event asks about, because of `onFailure: 'block'`. */
  readonly blocked: boolean;
}

/** A hook that continues in the background. */
export interface PendingHook<E extends string = AnyEvent> {
  readonly hookId: string;
  readonly name: string;
  /** Never rejects. */
  readonly completion: Promise<HookResult<E>>;
}

/** An observation that changes nothing, such as conflicting rewrites or unknown keys. */
export interface HookNote {
  readonly hookId: string;
  readonly name: string;
  readonly message: string;
}

/** What the outcome of every event has. */
export interface CommonOutcome<E extends string = AnyEvent> {
  readonly event: E;
  /** One for each hook that ran, in plan order. */
  readonly results: readonly HookResult<E>[];
  /** False: the loop ends with `stopReason`. True: a hook asked to continue. */
  readonly continue?: boolean;
  /** Why the loop ends, for people. */
  readonly stopReason?: string;
  /** True: a hook wants its output kept out of the transcript. */
  readonly suppressOutput: boolean;
  /** The hooks' system messages, in plan order. */
  readonly systemMessages: readonly string[];
  /** Unchanged, in plan order. */
  readonly hookSpecificOutputs: readonly HookSpecificOutput<E>[];
  /** Content for the agent, each with its delivery strategy. */
  readonly injections: readonly Injection[];
  /** Every hook without a valid answer. */
  readonly failures: readonly HookFailure[];
  /** Hooks that continue in the background. */
  readonly pending: readonly PendingHook<E>[];
  /** Observations that change nothing. */
  readonly notes: readonly HookNote[];
  /** True if the fire's signal aborted it or the runner was disposed: hooks may be missing from `results`. */
  readonly aborted: boolean;
}

/** The outcome of an event whose hooks can refuse, or keep the agent from stopping. */
export interface Decided {
  /** What the hooks decided together. Undefined: no hook decided. */
  readonly decision?: PermissionDecision;
  /** Why; the model reads it. */
  readonly reason?: string;
}

/** The outcome of an event whose hooks can add context. */
export interface AddedContext {
  /** Context for the model's next request, in plan order. */
  readonly additionalContext: readonly string[];
}

/** The outcome of an event whose hooks can rewrite an input. */
export interface RewrittenInput {
  /** The whole new tool input; the tool's schema and its permission are checked again on it. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
}

/** The outcome of an event whose hooks can rewrite an output. */
export interface RewrittenOutput {
  /** The whole new tool output. */
  readonly updatedOutput?: unknown;
}

/** Fields that the outcomes of some events lack: absent for those, optional where the event may be one of them. */
type Unless<E, Lacking, Fields> = [E] extends [Lacking]
  ? unknown
  : [Extract<E, Lacking>] extends [never]
    ? Fields
    : Partial<Fields>;

/**
 * What all hooks of one fire decided together. Everything in it is read-only; empty lists are shared. It has only what
 * hooks of its event can answer: no `decision` where nothing can be refused, `updatedInput` only before a tool,
 * `updatedOutput` only after it. Without an event it is the outcome of any.
 */
export type HookOutcome<E extends string = AnyEvent> = CommonOutcome<E> &
  Unless<E, NeverDecides, Decided> &
  Unless<E, AddsNoContext, AddedContext> &
  Unless<E, KeepsInput, RewrittenInput> &
  Unless<E, KeepsOutput, RewrittenOutput>;

/** Everything that an outcome can have: what the runner makes, for every event. */
export type WholeOutcome<E extends string = AnyEvent> = CommonOutcome<E> &
  Decided &
  AddedContext &
  RewrittenInput &
  RewrittenOutput;
