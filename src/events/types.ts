/** The types of inputs, answers and callbacks, each derived from the table and indexed by event. */
import type { z } from 'zod';
import type { baseFields, commonAnswer } from './fields.js';
import type { events } from './table.js';

type Table = typeof events;

/** The name of one of the fifteen events. */
export type HookEvent = keyof Table;

type Flat<T> = { [K in keyof T]: T[K] } & {};

/** JSON has no undefined: an optional field is there with its value, or it is not there. */
type Exact<T> = Flat<
  { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? (unknown extends T[K] ? never : K) : never]?: Exclude<
      T[K],
      undefined
    >;
  } & { [K in keyof T as unknown extends T[K] ? K : never]: T[K] }
>;

type Shape<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S, z.core.$strip>>;

/** The full input of each event, as a hook receives it: snake_case, the common fields and the event's own. */
export type HookInputs = {
  [E in HookEvent]: Exact<
    Omit<Shape<typeof baseFields>, keyof Table[E]['input']> &
      Shape<Table[E]['input']> & { hook_event_name: E }
  >;
};

/** What each event's `hookSpecificOutput` may hold. */
export type HookSpecificOutputs = {
  [E in HookEvent]: Flat<{ hookEventName: E } & Shape<Table[E]['specific']>>;
};

/** A hook's answer, given at once or at the end of its background work. */
export type HookAnswers = {
  [E in HookEvent]: Flat<
    Shape<typeof commonAnswer> & { hookSpecificOutput?: HookSpecificOutputs[E] | undefined }
  >;
};

/** "I go on in the background": `result` is the answer to come, if there will be one. */
export type AsyncAnswers = {
  [E in HookEvent]: {
    async: true;
    /** How long the answer may take; seconds, except in dialects that say otherwise. */
    asyncTimeout?: number | undefined;
    result?: PromiseLike<HookAnswers[E] | undefined | void> | undefined;
  };
};

/** The full input of an event, as its hooks receive it. */
export type HookInput<E extends HookEvent = HookEvent> = HookInputs[E];
/** What a hook of an event may answer: at once, or that it goes on in the background. */
export type HookOutput<E extends HookEvent = HookEvent> = HookAnswers[E] | AsyncAnswers[E];
/** What an event's `hookSpecificOutput` may hold. */
export type HookSpecificOutput<E extends HookEvent = HookEvent> = HookSpecificOutputs[E];

/** What a callback gets beside the input. */
export interface HookContext {
  /** Aborts when the hook's deadline passes, the fire is aborted or the runner is disposed. */
  readonly signal: AbortSignal;
  /** Unique for this run of the hook. */
  readonly hookId: string;
  /** As results and messages call the hook. */
  readonly name: string;
  /** Whose fire it is, where that was said. */
  readonly agentId: string | undefined;
  /** Tells the people who watch how far the hook is, as a `hook_progress` message. Never throws. */
  progress(text: string): void;
}

/**
 * The callbacks, one type per event. A mapped type indexed by the event, because a generic signature would widen
 * `permissionDecision: 'deny'` to `string` at every call.
 *
 * Contract: a callback may do anything (throw, hang, answer late, change its input): only its own result suffers.
 */
export type HookCallbacks = {
  [E in HookEvent]: (
    input: HookInputs[E],
    toolUseID: string | undefined,
    context: HookContext,
  ) => HookOutput<E> | void | Promise<HookOutput<E> | void>;
};

/** A hook as a function: `(input, toolUseID, { signal }) => answer`. What it throws is its failure, and nobody else's. */
export type HookCallback<E extends HookEvent = HookEvent> = HookCallbacks[E];

type RunnerFields = keyof typeof baseFields | 'hook_event_name';
/** What `fire` fills in where it is missing: from the runner, or from its options. */
type Filled = RunnerFields | 'tool_use_id';
type Lenient<T> = { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] };

/** What `fire` is given: the event's own fields; the common ones come from the runner and may be overridden. */
export type FireInputs = {
  [E in HookEvent]: Flat<
    Lenient<Omit<HookInputs[E], Exclude<RunnerFields, keyof Table[E]['input']> | 'tool_use_id'>> &
      Lenient<Partial<Pick<HookInputs[E], Filled & keyof HookInputs[E]>>>
  >;
};

/** What `fire` is given for an event. Common fields may be left out: the runner has them. */
export type FireInput<E extends HookEvent = HookEvent> = FireInputs[E];
