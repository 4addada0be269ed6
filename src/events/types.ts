/** The types of inputs, answers and callbacks, derived from the table and indexed by event. */
import type { z } from 'zod';
import type { AgentId, AgentType, CommonAnswer, CommonInput, SessionInput } from './fields.js';
import type { EventRow, TableRow } from './row.js';
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
type Blocks = EventRow['blocks'];

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

/** Words in inputs only describe: a caller of `fire` may write others. Hooks are typed with the known ones. */
type Described<T> = {
  [K in keyof T]: T[K] extends string | undefined ? T[K] | (string & Record<never, never>) : T[K];
};

/** A row's own input fields, as hooks read them and as a caller of `fire` may write them. */
type OwnInput<Row extends EventRow> =
  Row extends TableRow<infer Input, infer _Answer, Blocks> ? Input : Exact<Shape<Row['input']>>;
type WrittenInput<Row extends EventRow> =
  Row extends TableRow<infer Input, infer _Answer, Blocks>
    ? Described<Input>
    : Exact<z.input<z.ZodObject<Row['input'], z.core.$strip>>>;

/** A row's own answer fields. */
type OwnAnswer<Row extends EventRow> =
  Row extends TableRow<infer _Input, infer Answer, Blocks> ? Answer : Shape<Row['answer']>;

type Named<E> = {
  /** The event. */
  hook_event_name: E;
};

/** An intersection, with each field in one of its parts: editors lose the doc texts of fields that are mapped or merged. */
type FullInput<E, Own> = SessionInput & Unless<Own, AgentId> & Unless<Own, AgentType> & Named<E> & Own;
type Unless<Own, Field> = keyof Field extends keyof Own ? unknown : Field;

/** The full inputs of the events of a table. */
export type InputsOf<T extends EventTable> = { [E in keyof T]: FullInput<E, OwnInput<T[E]>> };

/** The full input of each event, as a hook receives it: snake_case, the common fields and the event's own. */
export type HookInputs = InputsOf<Table>;

type NamedAnswer<E> = {
  /** The event that the hook answers. */
  hookEventName: E;
};

/** What the `hookSpecificOutput` of the events of a table may hold. */
export type SpecificOutputsOf<T extends EventTable> = {
  [E in keyof T]: NamedAnswer<E> & OwnAnswer<T[E]>;
};

/** What each event's `hookSpecificOutput` may hold. */
export type HookSpecificOutputs = SpecificOutputsOf<Table>;

/** An answer: given at once, or "I continue in the background". One type, because errors about a union mislead. */
export interface Answer<Specific> extends CommonAnswer {
  /** What only hooks of this event can answer, with its name. */
  hookSpecificOutput?: Specific | undefined;
  /** The hook continues in the background. */
  async?: true | undefined;
  /** How long a later answer may take; in seconds, except in dialects that use another unit. */
  asyncTimeout?: number | undefined;
  /** The later answer, with `async: true`, if there will be one. */
  result?: PromiseLike<Answer<Specific> | undefined | void> | undefined;
}

/** What the hooks of a table's events may answer. */
export type OutputsOf<T extends EventTable> = { [E in keyof T]: Answer<SpecificOutputsOf<T>[E]> };

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

/** The events whose hooks cannot decide, add context, or give a new input or output: their outcomes lack these fields. */
export type NeverDecides = {
  [E in AnyEvent]: Table[E]['blocks'] extends 'nothing' ? E : never;
}[AnyEvent];
export type AddsNoContext = Exclude<AnyEvent, EventsWithAnswer<'additionalContext'>>;
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

/** The fields that `fire` fills in if they are missing: from the runner, or from its options. */
type Filled = keyof CommonInput | keyof Named<never> | 'tool_use_id';
type Lenient<T> = { [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K] };
type Given<Own, Full> = Flat<
  Lenient<Omit<Own, 'tool_use_id'>> &
    Lenient<Partial<Pick<Full, Exclude<Filled & keyof Full, Exclude<keyof Own, 'tool_use_id'>>>>>
>;

/** The argument of `fire`: the event's own fields; the common ones come from the runner and may be overridden. */
export type FireInputsOf<T extends EventTable> = {
  [E in keyof T]: Given<WrittenInput<T[E]>, FullInput<E, WrittenInput<T[E]>>>;
};

/** The argument of `fire` for an event. Common fields may be omitted: the runner has them. */
export type FireInput<E extends AnyEvent = HookEvent> = FireInputsOf<Table>[E];
