/** What the table says about an event, and the check that a row is sound. */
import type { z } from 'zod';

/** What one row says. Rules elsewhere read these words; none switches on an event's name. */
export interface EventRow {
  /** The event's own input fields. */
  readonly input: z.core.$ZodLooseShape;
  /** The fields of `hookSpecificOutput`, beside `hookEventName`. */
  readonly specific: z.core.$ZodLooseShape;
  /** The input field that matchers look at; with null, matchers mean nothing. */
  readonly subject: string | null;
  /**
   * What a refusal (`decision: 'block'`, a deny, exit code 2) prevents. `feedback`: it is too late to prevent
   * anything, the reason is still told to the model. `nothing`: a refusal has no effect.
   */
  readonly blocks:
    | 'tool'
    | 'prompt'
    | 'stopping'
    | 'compaction'
    | 'completion'
    | 'idling'
    | 'feedback'
    | 'nothing';
  /** What a command's plain text on stdout is, in dialects that read it. */
  readonly plainText: 'context' | 'instructions' | 'nothing';
  /** What an answer may still do when it arrives after the fire went on. */
  readonly late: 'context' | 'nothing';
  /** What kind of waiting a host does for it: while it works, while a person's prompt waits, or at its own end. */
  readonly patience: 'work' | 'prompt' | 'exit';
  /** Whether Claude Code tells the permission mode on this event. */
  readonly tellsPermissionMode: boolean;
  /** Whether its commands may set variables for the agent's later shell commands. */
  readonly setsEnvironment: boolean;
  /** Whether `continue: false` ends the run in Claude Code; on the other events it is ignored there. */
  readonly haltsClaude: boolean;
  /** The input fields that a rewritten input or output replaces, for the hooks that come after. */
  readonly rewrites: {
    readonly input?: string;
    readonly output?: string;
  };
}

export type Shape = z.core.$ZodLooseShape;

export interface CheckedRow<Input extends Shape, Specific extends Shape> extends EventRow {
  readonly input: Input;
  readonly specific: Specific;
  readonly subject: (keyof Input & string) | null;
  readonly rewrites: { readonly input?: keyof Input & string; readonly output?: keyof Input & string };
}

/** Checks a row where it is written: a subject or a rewritten field that the input lacks does not compile. */
export function row<Input extends Shape, Specific extends Shape>(
  definition: CheckedRow<Input, Specific>,
): CheckedRow<Input, Specific> {
  return definition;
}
