/** Counts the calls that were refused because nobody sits there to be asked, for a word at the end. */
import type { Output } from './output.js';

export interface Unasked {
  /** The same output, with the refusals counted. */
  beside(output: Output): Output;
  /** What to say at the end; undefined when nothing was refused so. */
  text(): string | undefined;
}

/** For runs without a person: there, what a person would have been asked is refused in the person's place. */
export function countUnasked(): Unasked {
  const names: string[] = [];
  return {
    beside: (output) => ({
      message: (message) => {
        if (message.type === 'system' && message.subtype === 'permission_denied')
          if (message.decision_reason_type === 'person') names.push(message.tool_name);
        output.message(message);
      },
      end: (result) => output.end(result),
    }),
    text: () => {
      if (names.length === 0) return undefined;
      const calls = names.length === 1 ? '1 call was' : `${names.length} calls were`;
      const tools = [...new Set(names)];
      return `${calls} refused, because nobody could be asked: ${tools.join(', ')}. Allow what may run: --allowedTools, such as "Bash(git *) Edit", the permissions of a settings file, or --permission-mode. At a terminal, without -p, you are asked.`;
    },
  };
}
