/** What the table says about an event, and the check that a row is sound. */
import type { z } from 'zod';

export type Shape = z.core.$ZodLooseShape;

/** What one row says. Rules elsewhere read these words; none switches on an event's name. */
export interface EventRow {
  /** The event's own input fields. */
  readonly input: Shape;
  /** The fields of `hookSpecificOutput`, beside `hookEventName`. */
  readonly answer: Shape;
  /** The input field that matchers look at; with null, matchers mean nothing. */
  readonly matcherField: string | null;
  /** The point of an agent's life at which it is fired. */
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
   * anything, the reason is still told to the model. `nothing`: a refusal has no effect. `action`: whatever the
   * application asks about, on an event of its own.
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
  /** What a command's plain text on stdout is, in dialects that read it. */
  readonly plainText: 'context' | 'instructions' | 'nothing';
  /** What an answer may still do when it arrives after the fire went on. */
  readonly late: 'context' | 'nothing';
  /** Whether its commands may set variables for the agent's later shell commands. */
  readonly setsEnvironment: boolean;
  /** The input fields that a rewritten input or output replaces, for the hooks that come after. */
  readonly rewrites: { readonly input?: string; readonly output?: string };
}

/** A row whose fields are known to the compiler: what `defineEvent` returns. */
export interface CheckedRow<Input extends Shape, Answer extends Shape> extends EventRow {
  readonly input: Input;
  readonly answer: Answer;
  readonly matcherField: (keyof Input & string) | null;
  readonly rewrites: { readonly input?: keyof Input & string; readonly output?: keyof Input & string };
}

/** What most rows say. */
const USUAL = {
  moment: 'other',
  blocks: 'nothing',
  plainText: 'nothing',
  late: 'nothing',
  setsEnvironment: false,
  rewrites: {},
} as const;

type Said<Input extends Shape, Answer extends Shape> = Partial<CheckedRow<Input, Answer>> &
  Pick<CheckedRow<Input, Answer>, 'input' | 'answer' | 'matcherField'>;

/** Completes a row and checks it where it is written: a matcher field or a rewritten field that the input lacks does not compile. */
export function row<Input extends Shape, Answer extends Shape>(
  said: Said<Input, Answer>,
): CheckedRow<Input, Answer> {
  return Object.freeze({ ...USUAL, ...said });
}
