/** Counts the calls that were denied because no user was there to ask, and reports them at the end. */
import type { Output } from './output.js';

export interface Unasked {
  /** Wraps an output and counts the denials. */
  beside(output: Output): Output;
  /** The report for the end of the run; undefined if nothing was denied for this reason. */
  text(): string | undefined;
}

/** For runs without a user: calls that would need confirmation are denied instead. */
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
      return `${calls} denied, because there is no terminal to ask for permission: ${tools.join(', ')}. Allow calls with --allowedTools, such as "Bash(git *) Edit", with the permissions of a settings file, or with --permission-mode. At a terminal, without -p, you are asked.`;
    },
  };
}
