/** The types of inputs, answers and callbacks, derived from the table and indexed by event. */
import type { z } from 'zod';
import type { SchemasOf } from './field.js';
import type { baseFields, commonAnswer } from './fields.js';
import type { EventRow } from './row.js';
import type { extended, lifecycle } from './table.js';

/** The name of one of the fifteen events. */
export type HookEvent = keyof typeof lifecycle;
/** The name of one of the extended events that newer hosts have. */
export type ExtendedEvent = keyof typeof extended;
/** The name of any built-in event. */
export type AnyEvent = HookEvent | ExtendedEvent;

/** Events with their rows, by name. */
export type EventTable = Readonly<Record<string, EventRow>>;
type Table = typeof lifecycle & typeof extended;

type Flat<T> = { [K in keyof T]: T[K] } & {};

/** JSON has no undefined: an optional field is present with a value, or absent. */
type Exact<T> = Flat<
  { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
    [K in keyof T as undefined extends T[K] ? (unknown extends T[K] ? never : K) : never]?: Exclude<
      T[K],
      undefined
    >;
  } & { [K in keyof T as unknown extends T[K] ? K : never]: T[K] }
>;

type Shape<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S, z.core.$strip>>;

type FullInput<E, Own extends z.core.$ZodLooseShape, Fields> = Exact<
  Omit<Shape<SchemasOf<typeof baseFields>>, keyof Own> & Fields & { hook_event_name: E }
>;

/** The full inputs of the events of a table. */
export type InputsOf<T extends EventTable> = {
  [E in keyof T]: FullInput<E, T[E]['input'], Shape<T[E]['input']>>;
};

/** The same inputs as a caller of `fire` may write them: descriptive words are open. */
type WrittenInputsOf<T extends EventTable> = {
  [E in keyof T]: FullInput<E, T[E]['input'], z.input<z.ZodObject<T[E]['input'], z.core.$strip>>>;
};

/** The full input of each event, as a hook receives it: snake_case, the common fields and the event's own. */
export type HookInputs = InputsOf<Table>;

/** What the `hookSpecificOutput` of the events of a table may hold. */
export type SpecificOutputsOf<T extends EventTable> = {
  [E in keyof T]: Flat<{ hookEventName: E } & Shape<T[E]['answer']>>;
};

/** What each event's `hookSpecificOutput` may hold. */
export type HookSpecificOutputs = SpecificOutputsOf<Table>;

/** The answers of a table's events, given at once or at the end of background work. */
type AnswersOf<T extends EventTable> = {
  [E in keyof T]: Flat<
    Shape<SchemasOf<typeof commonAnswer>> & { hookSpecificOutput?: SpecificOutputsOf<T>[E] | undefined }
  >;
};

/** "I continue in the background": `result` is the later answer, if there will be one. */
interface AsyncAnswer<Answer> {
  async: true;
  /** How long the answer may take; in seconds, except in dialects that use another unit. */
  asyncTimeout?: number | undefined;
  result?: PromiseLike<Answer | undefined | void> | undefined;
}

/** What the hooks of a table's events may answer. */
export type OutputsOf<T extends EventTable> = {
  [E in keyof T]: AnswersOf<T>[E] | AsyncAnswer<AnswersOf<T>[E]>;
};

/** The full input of an event, as its hooks receive it. */
export type HookInput<E extends AnyEvent = HookEvent> = HookInputs[E];
/** What a hook of an event may answer: at once, or that it continues in the background. */
export type HookOutput<E extends AnyEvent = HookEvent> = OutputsOf<Table>[E];
/** What an event's `hookSpecificOutput` may hold; for your own event, what its definition says. */
export type HookSpecificOutput<E extends string = HookEvent> = E extends AnyEvent
  ? HookSpecificOutputs[E]
  : { readonly hookEventName: E; readonly [field: string]: unknown };

type FieldsOf<T> = T extends unknown ? keyof T : never;

/** The events with a field in their answers, there or in the decision of a permission request. */
type EventsWithAnswer<Field extends string> = {
  [E in AnyEvent]: Field extends
    | FieldsOf<HookSpecificOutputs[E]>
    | (HookSpecificOutputs[E] extends { decision?: infer Decision } ? FieldsOf<Decision> : never)
    ? E
    : never;
}[AnyEvent];

/** The events whose hooks cannot give a new input, and those whose hooks cannot give a new output. */
export type KeepsInput = Exclude<AnyEvent, EventsWithAnswer<'updatedInput'>>;
export type KeepsOutput = Exclude<AnyEvent, EventsWithAnswer<'updatedToolOutput'>>;

/** The third argument of a callback. */
export interface HookContext {
  /** Aborts when the hook's deadline passes, the fire is aborted or the runner is disposed. */
  readonly signal: AbortSignal;
  /** Unique for this run of the hook. */
  readonly hookId: string;
  /** The hook's name in results and messages. */
  readonly name: string;
  /** The agent that fired, if it was given. */
  readonly agentId: string | undefined;
  /** Reports progress to people who watch, as a `hook_progress` message. Never throws. */
  progress(text: string): void;
}

/**
 * The callbacks, one type per event. A mapped type indexed by the event, because a generic signature would widen
 * `permissionDecision: 'deny'` to `string` at every call.
 *
 * Contract: a callback may do anything (throw, hang, answer late, change its input): only its own result is affected.
 */
export type CallbacksOf<T extends EventTable> = {
  [E in keyof T]: (
    input: InputsOf<T>[E],
    toolUseID: string | undefined,
    context: HookContext,
  ) => OutputsOf<T>[E] | void | Promise<OutputsOf<T>[E] | void>;
};

/** The callbacks of the built-in events. */
export type HookCallbacks = CallbacksOf<Table>;

/** A hook as a function: `(input, toolUseID, { signal }) => answer`. If it throws, only this hook has failed. */
export type HookCallback<E extends AnyEvent = HookEvent> = HookCallbacks[E];

type RunnerFields = keyof SchemasOf<typeof baseFields> | 'hook_event_name';
/** The fields that `fire` fills in if they are missing: from the runner, or from its options. */
type Filled = RunnerFields | 'tool_use_id';
type Lenient<T> = { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] };

/** The argument of `fire`: the event's own fields; the common ones come from the runner and may be overridden. */
export type FireInputsOf<T extends EventTable> = {
  [E in keyof T]: Flat<
    Lenient<Omit<WrittenInputsOf<T>[E], Exclude<RunnerFields, keyof T[E]['input']> | 'tool_use_id'>> &
      Lenient<Partial<Pick<WrittenInputsOf<T>[E], Filled & keyof WrittenInputsOf<T>[E]>>>
  >;
};

/** The argument of `fire` for an event. Common fields may be omitted: the runner has them. */
export type FireInput<E extends AnyEvent = HookEvent> = FireInputsOf<Table>[E];
