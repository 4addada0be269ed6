/** Reports, at compile time, a key that an event's `hookSpecificOutput` does not have. */
import type { AnyEvent, HookSpecificOutputs } from './types.js';

/**
 * Accepts any object whose keys are all known: an unknown key is usually a typo, and then a guard that never refuses.
 * On events that can neither decide nor rewrite, keys of other hosts pass.
 */
export type WellSpelt<H, E> = [E] extends [AnyEvent]
  ? [Exclude<KeysOf<HookSpecificOutputs[E]>, ContextKeys>] extends [never]
    ? unknown
    : [UnknownKeys<H, E>] extends [never]
      ? unknown
      : HasNoSuchKey<UnknownKeys<H, E>>
  : unknown;

type ContextKeys = 'hookEventName' | 'additionalContext';

/** No value has this type; the compiler prints its name. */
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
