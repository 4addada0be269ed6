/** The columns of the event table, and the function that checks a row. */
import type { z } from 'zod';
import { lazy } from '../base/lazy.js';
import { type Fields, type FieldsOf, schemasOf } from './field.js';

export type Shape = z.core.$ZodLooseShape;

/** One row of the table. Code elsewhere reads these columns; it never switches on an event's name. */
export interface EventRow {
  /** The event's own input fields, as zod schemas. */
  readonly input: Shape;
  /** The fields of `hookSpecificOutput`, beside `hookEventName`. */
  readonly answer: Shape;
  /** The input field that matchers look at; null: matchers are ignored. */
  readonly matcherField: string | null;
  /** The point in an agent's life at which it fires. */
  readonly moment:
    | 'tool-begins'
    | 'tool-ended'
    | 'prompt'
    | 'turn-ends'
    | 'subagent-begins'
    | 'subagent-ends'
    | 'session-begins'
    | 'session-ends'
    | 'other';
  /**
   * What a refusal (`decision: 'block'`, a deny, exit code 2) prevents. `feedback`: it is too late to prevent
   * anything, but the model still reads the reason. `nothing`: a refusal has no effect. `action`: what an
   * application's own event asks about.
   */
  readonly blocks:
    | 'tool'
    | 'prompt'
    | 'stopping'
    | 'compaction'
    | 'completion'
    | 'idling'
    | 'action'
    | 'feedback'
    | 'nothing';
  /** What a command's plain text on stdout means, in dialects that read it. */
  readonly plainText: 'context' | 'instructions' | 'nothing';
  /** What an answer may still do if it arrives after the fire. */
  readonly late: 'context' | 'nothing';
  /** Whether its commands may set variables for the agent's later shell commands. */
  readonly setsEnvironment: boolean;
  /** The input fields that a rewritten input or output replaces for the hooks that follow. */
  readonly rewrites: { readonly input?: string; readonly output?: string };
  /**
   * What the agent loop of hookline lacks to fire it; empty: nothing. Its hooks run in hosts that have it, and where an
   * application fires the event.
   */
  readonly unfired: string;
}

/** A row whose fields the compiler knows: what `defineEvent` returns. */
export interface CheckedRow<Input extends Shape, Answer extends Shape> extends EventRow {
  readonly input: Input;
  readonly answer: Answer;
  readonly matcherField: (keyof Input & string) | null;
  readonly rewrites: { readonly input?: keyof Input & string; readonly output?: keyof Input & string };
}

export interface RowFields {
  readonly input: Fields;
  readonly answer: Fields;
}

/** A row of our own table. Interfaces say what its fields are; schemas are derived from its fields, and rarely needed. */
export interface TableRow<Input, Answer, Blocks extends EventRow['blocks']> extends EventRow {
  readonly blocks: Blocks;
  readonly fields: { readonly input: FieldsOf<Input>; readonly answer: FieldsOf<Answer> };
}

/** The answers of an event without fields of its own. */
export type NoAnswer = Record<never, never>;

/** Defaults of the columns. */
const USUAL = {
  moment: 'other',
  blocks: 'nothing',
  plainText: 'nothing',
  late: 'nothing',
  setsEnvironment: false,
  rewrites: {},
  unfired: '',
} as const;

type Columns<InputField, Blocks = EventRow['blocks']> = Partial<
  Omit<EventRow, 'input' | 'answer' | 'matcherField' | 'blocks' | 'rewrites'>
> & {
  readonly matcherField: (InputField & string) | null;
  readonly blocks?: Blocks;
  readonly rewrites?: {
    readonly input?: InputField & string;
    readonly output?: InputField & string;
  };
};

/**
 * Completes a row and checks it where it is written: fields that differ from the interfaces, a matcher field or a
 * rewritten field that the input lacks do not compile. The schemas are built when they are first asked for. Called
 * twice, because the interfaces are given and `blocks` is inferred.
 */
export const row =
  <Input, Answer>() =>
  <const Blocks extends EventRow['blocks'] = 'nothing'>({
    input,
    answer,
    ...columns
  }: Columns<keyof Input, Blocks> & {
    readonly input: FieldsOf<Input>;
    readonly answer: FieldsOf<Answer>;
  }): TableRow<Input, Answer, Blocks> => {
    const [inputOnce, answerOnce] = [lazy(() => schemasOf(input)), lazy(() => schemasOf(answer))];
    return Object.freeze({
      ...USUAL,
      ...columns,
      fields: { input, answer },
      get input() {
        return inputOnce();
      },
      get answer() {
        return answerOnce();
      },
    }) as TableRow<Input, Answer, Blocks>;
  };

/** The row of an application's event, whose fields are zod schemas. */
export function rowOfSchemas<Input extends Shape, Answer extends Shape>(
  input: Input,
  answer: Answer,
  columns: Columns<keyof Input>,
): CheckedRow<Input, Answer> {
  return Object.freeze({ ...USUAL, ...columns, input, answer });
}
