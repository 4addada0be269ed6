/** The columns of the event table, and the function that checks a row. */
import type { z } from 'zod';
import { lazy } from '../base/lazy.js';

export type Shape = z.core.$ZodLooseShape;

/** One row of the table. Code elsewhere reads these columns; it never switches on an event's name. */
export interface EventRow {
  /** The event's own input fields. */
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
}

/** A row whose fields the compiler knows: what `defineEvent` returns. */
export interface CheckedRow<Input extends Shape, Answer extends Shape> extends EventRow {
  readonly input: Input;
  readonly answer: Answer;
  readonly matcherField: (keyof Input & string) | null;
  readonly rewrites: { readonly input?: keyof Input & string; readonly output?: keyof Input & string };
}

/** Defaults of the columns. */
const USUAL = {
  moment: 'other',
  blocks: 'nothing',
  plainText: 'nothing',
  late: 'nothing',
  setsEnvironment: false,
  rewrites: {},
} as const;

type Said<Input extends Shape, Answer extends Shape> = Partial<
  Omit<CheckedRow<Input, Answer>, 'input' | 'answer'>
> &
  Pick<CheckedRow<Input, Answer>, 'matcherField'> & {
    readonly input: () => Input;
    readonly answer: () => Answer;
  };

/**
 * Completes a row and checks it where it is written: a matcher field or a rewritten field that the input lacks does not
 * compile. The schemas are built when the event is first used.
 */
export function row<Input extends Shape, Answer extends Shape>({
  input,
  answer,
  ...said
}: Said<Input, Answer>): CheckedRow<Input, Answer> {
  const [inputOnce, answerOnce] = [lazy(input), lazy(answer)];
  return Object.freeze({
    ...USUAL,
    ...said,
    get input() {
      return inputOnce();
    },
    get answer() {
      return answerOnce();
    },
  });
}
