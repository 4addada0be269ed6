/** The columns of the event table, and the function that checks a row. */
import type { z } from 'zod';
import { lazy } from '../base/lazy.js';
import { type Fields, type SchemasOf, schemasOf } from './field.js';

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

/** A row of our own table: its schemas are derived from fields, and are rarely needed. */
export interface TableRow<Input extends Shape, Answer extends Shape> extends CheckedRow<Input, Answer> {
  readonly fields: RowFields;
}

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

type Columns<Input extends Shape, Answer extends Shape> = Partial<
  Omit<CheckedRow<Input, Answer>, 'input' | 'answer'>
> &
  Pick<CheckedRow<Input, Answer>, 'matcherField'>;

type Said<Input extends Fields, Answer extends Fields> = Columns<SchemasOf<Input>, SchemasOf<Answer>> & {
  readonly input: Input;
  readonly answer: Answer;
};

/**
 * Completes a row and checks it where it is written: a matcher field or a rewritten field that the input lacks does not
 * compile. The schemas are built when they are first asked for.
 */
export function row<Input extends Fields, Answer extends Fields>({
  input,
  answer,
  ...columns
}: Said<Input, Answer>): TableRow<SchemasOf<Input>, SchemasOf<Answer>> {
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
  });
}

/** The row of an application's event, whose fields are zod schemas. */
export function rowOfSchemas<Input extends Shape, Answer extends Shape>(
  input: Input,
  answer: Answer,
  columns: Columns<Input, Answer>,
): CheckedRow<Input, Answer> {
  return Object.freeze({ ...USUAL, ...columns, input, answer });
}
