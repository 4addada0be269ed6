/** Callbacks whose answers are checked key by key: a key that an event's answers do not have does not compile. */
import type { InputFor } from './tool-inputs.js';
import type { Answer, AnyEvent, HookContext, HookSpecificOutputs } from './types.js';

/**
 * The callbacks of each event. `Top` and `Own` are inferred: the keys of an answer, and of the `hookSpecificOutput` in
 * it. An unknown key is usually a typo, and then a guard that never refuses; the compiler does not look for it in what
 * a function returns.
 */
export type CheckedCallbacks<Matcher extends string, Top extends string, Own extends string> = {
  [E in AnyEvent]: (
    input: InputFor<E, Matcher>,
    toolUseID: string | undefined,
    context: HookContext,
  ) => Checked<E, Top, Own> | void | Promise<Checked<E, Top, Own> | void>;
};

type Checked<E extends AnyEvent, Top extends string, Own extends string> = Answer<
  HookSpecificOutputs[E] & OnlyKnown<Own, SpecificKeys<E>>
> &
  OnlyKnown<Top, keyof Answer<never>>;

type OnlyKnown<Keys extends string, Known> = {
  [Key in Keys]?: Key extends Known ? unknown : NoSuchKey<Key>;
};

/** No value has this type; the compiler prints its name. */
interface NoSuchKey<Key> {
  readonly 'an answer has no such key': Key;
}

/** On events that can neither decide nor rewrite, keys of other hosts pass. */
type SpecificKeys<E extends AnyEvent> = [
  Exclude<KeysOf<HookSpecificOutputs[E]>, 'hookEventName' | 'additionalContext'>,
] extends [never]
  ? string
  : KeysOf<HookSpecificOutputs[E]>;

type KeysOf<T> = T extends unknown ? keyof T : never;
