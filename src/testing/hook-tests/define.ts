/** Hook tests written in TypeScript or JavaScript. */
import type { AnyEvent, FireInput } from '../../events/types.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { Expectation } from './schema.js';

type Tests = {
  [E in AnyEvent]: {
    readonly event: E;
    readonly name?: string | undefined;
    /** Fire as this agent. */
    readonly agent?: string | undefined;
    /** Fields that replace those of the sample input. */
    readonly input?: Partial<FireInput<E>> | undefined;
    /** Single fields by their path: `{ 'tool_input.command': 'ls' }`. */
    readonly set?: Readonly<Record<string, unknown>> | undefined;
    /** What the outcome has to be; or a function that throws when it is not. */
    readonly expect: HookExpectation | ((outcome: HookOutcome<E>) => void | Promise<void>);
  };
};

/** What an outcome has to be; what is left out does not matter. */
export type HookExpectation = Readonly<Expectation>;

/** One fire and what is expected of it. */
export type HookTest<E extends AnyEvent = AnyEvent> = Tests[E];

/**
 * Types a test module: `export default defineHookTests([...])`, run by `hookline test`. Returns what it is given,
 * never throws.
 */
export function defineHookTests(tests: readonly HookTest[]): readonly HookTest[] {
  return tests;
}
