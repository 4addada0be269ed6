/** Small tools for loops under test, which keep a record of what they were given. */
import { z } from 'zod';
import { defineTool, type Tool } from '../../../../src/agent/tools/tool.js';

export interface TestTools {
  /** What the tools were given, in the order in which they ran. */
  readonly ran: readonly { readonly name: string; readonly text: string }[];
  readonly tools: readonly Tool[];
}

/**
 * `Note` needs no permission; `Look` only reads, and runs beside others of its kind; `Change` needs permission;
 * `Fail` fails; `mcp__box__get` is called as a tool of a server. `inside` runs while a tool does.
 */
export function testTools(inside: (name: string, text: string) => unknown = () => {}): TestTools {
  const ran: { name: string; text: string }[] = [];
  const tool = (name: string, more: { readOnly?: boolean; harmless?: boolean }, fails = false): Tool =>
    defineTool({
      name,
      description: `The tool ${name} of a test`,
      input: z.strictObject({ text: z.string() }),
      ...more,
      async run({ text }) {
        ran.push({ name, text });
        await inside(name, text);
        if (fails) return { ok: false, error: `${text} went wrong` };
        return { ok: true, content: `${name}: ${text}`, response: { said: text } };
      },
    });
  return {
    ran,
    tools: [
      tool('Note', { harmless: true }),
      tool('Look', { readOnly: true, harmless: true }),
      tool('Change', {}),
      tool('Fail', { harmless: true }, true),
      tool('mcp__box__get', { harmless: true }),
    ],
  };
}
