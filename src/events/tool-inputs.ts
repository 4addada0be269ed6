/** The inputs of tools, by name: hooks whose matcher names such tools see them typed. */
import type { AnyEvent, HookCallbacks } from './types.js';

declare global {
  namespace Hookline {
    /**
     * The inputs of tools, by name. Add your own:
     * `declare global { namespace Hookline { interface ToolInputs { Deploy: { target: string } } } }`. What a model sends
     * is checked by the tool, not by hookline.
     */
    interface ToolInputs {
      Bash: { command: string; description?: string; timeout?: number; run_in_background?: boolean };
      Read: { file_path: string; offset?: number; limit?: number };
      Write: { file_path: string; content: string };
      Edit: { file_path: string; old_string: string; new_string: string; replace_all?: boolean };
      Glob: { pattern: string; path?: string };
      Grep: { pattern: string; path?: string; glob?: string };
    }
  }
}

type Known = Hookline.ToolInputs;

/** The names in a matcher such as `Read|Write`. */
type NamesIn<Matcher extends string> = Matcher extends `${infer Name}|${infer Rest}`
  ? Name | NamesIn<Rest>
  : Matcher;

/** The input of a tool event, with the tool's own input typed by the tool's name. */
type Typed<Input, Name> = Name extends keyof Known
  ? Omit<Input, 'tool_name' | 'tool_input'> & { tool_name: Name; tool_input: Known[Name] }
  : never;

/** The callback of a tool event whose matcher names known tools only; of anything else, the event's own. */
export type CallbackFor<E extends AnyEvent, Matcher extends string> = HookCallbacks[E] extends (
  input: infer Input extends { tool_name: string; tool_input: unknown },
  ...rest: infer Rest
) => infer Answer
  ? string extends Matcher
    ? HookCallbacks[E]
    : [NamesIn<Matcher>] extends [keyof Known]
      ? (input: Typed<Input, NamesIn<Matcher>>, ...rest: Rest) => Answer
      : HookCallbacks[E]
  : HookCallbacks[E];
