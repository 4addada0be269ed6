/** Distinguishes callbacks declared with the Agent SDK's own type from those written for one event. */

/**
 * A callback declared with the Agent SDK's own `HookCallback`. That type allows any event's answer, so it cannot be
 * checked against one event. It is recognised by accepting the answers of several events, and allowed. An inline
 * function has the type of what it returns and is checked strictly.
 */
export type SdkCallback<C> = C extends (
  input: never,
  toolUseID: never,
  context: never,
) => Promise<infer Answer>
  ? [AnswerOf<'PreToolUse'> | AnswerOf<'PostToolUse'> | AnswerOf<'SessionStart'>] extends [Answer]
    ? [AnswerOf<'no event at all'>] extends [Answer]
      ? AnswerDoesNotFitTheEvent
      : C
    : AnswerDoesNotFitTheEvent
  : AnswerDoesNotFitTheEvent;

/** No value has this type; the compiler prints its name. */
interface AnswerDoesNotFitTheEvent {
  readonly 'the answer does not fit the event': never;
}

interface AnswerOf<Name extends string> {
  hookSpecificOutput: { hookEventName: Name };
}
