/** Events of an application's own: `new Runner({ events: { PreDeploy: defineEvent({ … }) } })`. */
import { type CheckedRow, row, type Shape } from './row.js';

/** What an event of your own is like. Fields are zod schemas. */
export interface EventDefinition<Input extends Shape, Answer extends Shape> {
  /** The fields of its input, beside those that every event has. */
  readonly input: Input;
  /** What its hooks may put into `hookSpecificOutput`. Default: nothing. */
  readonly answer?: Answer | undefined;
  /** The input field that matchers look at. Default: matchers mean nothing. */
  readonly matcherField?: (keyof Input & string) | undefined;
  /** Whether a refusal prevents what the event asks about. Default: false, hooks only watch. */
  readonly blocks?: boolean | undefined;
  /** The input field that `updatedInput` of an answer replaces. Default: none. */
  readonly rewrites?: (keyof Input & string) | undefined;
  /** The input field that `updatedOutput` of an answer replaces. Default: none. */
  readonly rewritesOutput?: (keyof Input & string) | undefined;
}

/**
 * Defines an event of your own, typed like the built-in ones. Name it where it is used: `new Runner({ events: { PreDeploy } })`.
 * Never throws: a runner refuses a name that cannot be used.
 */
export function defineEvent<const Input extends Shape, const Answer extends Shape = Record<never, never>>(
  definition: EventDefinition<Input, Answer>,
): CheckedRow<Input, Answer> {
  const { input, answer, matcherField, blocks, rewrites, rewritesOutput } = definition;
  return row<Input, Answer>({
    input,
    answer: answer ?? ({} as Answer),
    matcherField: matcherField ?? null,
    blocks: blocks === true ? 'action' : 'nothing',
    rewrites: {
      ...(rewrites !== undefined && { input: rewrites }),
      ...(rewritesOutput !== undefined && { output: rewritesOutput }),
    },
  });
}
