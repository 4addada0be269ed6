/** Tells callbacks that are declared with the Agent SDK's own type from those written for one event. */

/**
 * A callback declared with the Agent SDK's own `HookCallback`. That type says "any event's answer", so it cannot be
 * checked against one event; it is let through where it is a declared type, told by its accepting the answers of
 * several events. A function written in place has the type of what it returns and is checked strictly.
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

/** Nothing has this type; its name is what the compiler prints. */
interface AnswerDoesNotFitTheEvent {
  readonly 'the answer does not fit the event': never;
}

interface AnswerOf<Name extends string> {
  hookSpecificOutput: { hookEventName: Name };
}
