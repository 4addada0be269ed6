/** The inputs of tools, by name: hooks whose matcher names such tools see them typed. */
import type { AnyEvent, HookInputs } from './types.js';

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
type TypedByName<Input, Name> = Name extends keyof Known
  ? Input & {
      /** The name of the tool; a matcher sees it. */
      tool_name: Name;
      /** What the model gave the tool. */
      tool_input: Known[Name];
    }
  : never;

/** The input of a tool event whose matcher names known tools only; of anything else, the event's own. */
export type InputFor<E extends AnyEvent, Matcher extends string> = HookInputs[E] extends {
  tool_name: string;
  tool_input: unknown;
}
  ? string extends Matcher
    ? HookInputs[E]
    : [NamesIn<Matcher>] extends [keyof Known]
      ? TypedByName<HookInputs[E], NamesIn<Matcher>>
      : HookInputs[E]
  : HookInputs[E];
