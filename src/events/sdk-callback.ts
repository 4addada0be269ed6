/** Distinguishes callbacks declared with the Agent SDK's own type from those written for one event. */

/**
 * Whether this is a callback declared with the Agent SDK's own `HookCallback`. That type allows any event's answer, so it
 * cannot be checked against one event. It is recognised by accepting the answers of several events. An inline function
 * has the type of what it returns and is checked strictly.
 */
type IsSdkCallback<C> = [C] extends [
  (input: never, toolUseID: never, context: never) => Promise<infer Answer>,
]
  ? [AnswerOf<'PreToolUse'> | AnswerOf<'PostToolUse'> | AnswerOf<'SessionStart'>] extends [Answer]
    ? [AnswerOf<'no event at all'>] extends [Answer]
      ? false
      : true
    : false
  : false;

interface AnswerOf<Name extends string> {
  hookSpecificOutput: { hookEventName: Name };
}

/**
 * Arguments that the compiler never finds: there are too many. It then does not consider the overload, and reports what
 * is wrong with the strict one alone.
 */
export type NoArguments = [never, never, never, never];

/** The arguments of `on` behind the event, for such a callback. */
export type SdkArguments<Options, Given extends readonly unknown[]> = Given extends readonly [
  ...(readonly [] | readonly [Options]),
  infer Callback,
]
  ? IsSdkCallback<Callback> extends true
    ? Given
    : NoArguments
  : NoArguments;

/** The argument of `new Runner`, for a configuration of such callbacks. */
export type SdkOptions<Options, Config> =
  IsSdkCallback<CallbackIn<Config>> extends true
    ? [options: Options & { readonly hooks: Config }]
    : NoArguments;

type CallbackIn<Config> =
  NonNullable<Config[keyof Config]> extends readonly { readonly hooks: readonly (infer Callback)[] }[]
    ? Callback
    : never;
