/** Types for hook tests written in TypeScript or JavaScript. */
import type { AnyEvent, FireInput } from '../../events/types.js';
import type { HookOutcome } from '../../runner/outcome.js';
import type { Expectation } from './schema.js';

type Tests = {
  [E in AnyEvent]: {
    readonly event: E;
    readonly name?: string | undefined;
    /** Fires as this agent. */
    readonly agent?: string | undefined;
    /** Fires only at this hook, as `hookline list` shows it. Default: at all hooks. */
    readonly hook?: string | undefined;
    /** Fields that replace those of the sample input. */
    readonly input?: Partial<FireInput<E>> | undefined;
    /** Single fields by their path: `{ 'tool_input.command': 'ls' }`. */
    readonly set?: Readonly<Record<string, unknown>> | undefined;
    /** The expected outcome, or a function that throws if the outcome is wrong. */
    readonly expect: HookExpectation | ((outcome: HookOutcome<E>) => void | Promise<void>);
  };
};

/** The expected outcome; omitted fields are not checked. */
export type HookExpectation = Readonly<Expectation>;

/** One fire and its expected outcome. */
export type HookTest<E extends AnyEvent = AnyEvent> = Tests[E];

/**
 * Types a test module: `export default defineHookTests([...])`, run by `hookline test`. Returns its argument; never
 * throws.
 */
export function defineHookTests(tests: readonly HookTest[]): readonly HookTest[] {
  return tests;
}
