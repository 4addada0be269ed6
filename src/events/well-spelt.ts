/** Finds, while it compiles, a key that an event's `hookSpecificOutput` does not have. */
import type { AnyEvent, HookSpecificOutputs } from './types.js';

/**
 * Anything, if all keys are known: one that is not is usually a slip, and then a guard that never refuses. Where there is
 * nothing to decide or to rewrite, keys of other hosts pass.
 */
export type WellSpelt<H, E> = [E] extends [AnyEvent]
  ? [Exclude<KeysOf<HookSpecificOutputs[E]>, ContextKeys>] extends [never]
    ? unknown
    : [UnknownKeys<H, E>] extends [never]
      ? unknown
      : HasNoSuchKey<UnknownKeys<H, E>>
  : unknown;

type ContextKeys = 'hookEventName' | 'additionalContext';

/** Nothing has this type; its name is what the compiler prints. */
interface HasNoSuchKey<Key> {
  readonly 'hookSpecificOutput has no such key': Key;
}

type UnknownKeys<H, E extends AnyEvent> = Exclude<
  KeysOf<SpecificOf<ReturnedBy<H>>>,
  KeysOf<HookSpecificOutputs[E]>
>;
type KeysOf<T> = T extends unknown ? keyof T : never;
type SpecificOf<A> = A extends { hookSpecificOutput?: infer S } ? NonNullable<S> : never;
type ReturnedBy<H> = H extends readonly (infer Each)[]
  ? ReturnedBy<Each>
  : H extends { readonly callback: infer Callback }
    ? ReturnedBy<Callback>
    : H extends (...given: never[]) => infer Answer
      ? Awaited<Answer>
      : never;
