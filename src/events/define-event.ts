/** Events that an application defines: `new Runner({ events: { PreDeploy: defineEvent({ … }) } })`. */
import { type CheckedRow, rowOfSchemas, type Shape } from './row.js';

/** The definition of your own event. Fields are zod schemas. */
export interface EventDefinition<Input extends Shape, Answer extends Shape> {
  /** The fields of its input, in addition to those that every event has. */
  readonly input: Input;
  /** The fields of `hookSpecificOutput` in its hooks' answers. Default: none. */
  readonly answer?: Answer | undefined;
  /** The input field that matchers look at. Default: none, matchers are ignored. */
  readonly matcherField?: (keyof Input & string) | undefined;
  /** Whether a refusal prevents what the event asks about. Default: false, hooks only observe. */
  readonly blocks?: boolean | undefined;
  /** The input field that an answer's `updatedInput` replaces. Default: none. */
  readonly rewrites?: (keyof Input & string) | undefined;
  /** The input field that `updatedOutput` of an answer replaces. Default: none. */
  readonly rewritesOutput?: (keyof Input & string) | undefined;
}

/**
 * Defines an event of your own, typed like the built-in ones. Its name is the key where you use it: `new Runner({
 * events: { PreDeploy } })`. Never throws: the runner refuses a name that cannot be used.
 */
export function defineEvent<const Input extends Shape, const Answer extends Shape = Record<never, never>>(
  definition: EventDefinition<Input, Answer>,
): CheckedRow<Input, Answer> {
  const { input, answer, matcherField, blocks, rewrites, rewritesOutput } = definition;
  return rowOfSchemas(input, answer ?? ({} as Answer), {
    matcherField: matcherField ?? null,
    blocks: blocks === true ? 'action' : 'nothing',
    rewrites: {
      ...(rewrites !== undefined && { input: rewrites }),
      ...(rewritesOutput !== undefined && { output: rewritesOutput }),
    },
  });
}
