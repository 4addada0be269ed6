/** Checks what hooks put into a request or an answer, because a service would refuse it with a less useful message. */
import { z } from 'zod';
import type { ContentBlock, ModelMessage } from '../models/port.js';

const CONTENT = z.array(
  z.union([
    z.looseObject({ type: z.literal('text'), text: z.string() }),
    z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string() }),
    z.looseObject({ type: z.literal('tool_result'), tool_use_id: z.string() }),
    z.looseObject({ type: z.string().refine((type) => !KNOWN.has(type)) }),
  ]),
);
const KNOWN: ReadonlySet<string> = new Set(['text', 'tool_use', 'tool_result']);
const MESSAGES = z.array(z.looseObject({ role: z.enum(['user', 'assistant']), content: CONTENT }));

/** Returns a sentence about the content of an answer, or undefined if it is valid. */
export function problemOfAnswer(content: unknown): string | undefined {
  const read = CONTENT.safeParse(content);
  if (!read.success) return `its content is not a list of blocks: ${z.prettifyError(read.error)}`;
  return read.data.some(({ type }) => type === 'tool_result')
    ? 'its content has a tool_result, which only the user sends'
    : undefined;
}

/** Returns a sentence about the messages of a request, or undefined if a service accepts them. */
export function problemOfMessages(given: unknown): string | undefined {
  const read = MESSAGES.safeParse(given);
  if (!read.success) return `its messages are not valid: ${z.prettifyError(read.error)}`;
  const messages = read.data as unknown as readonly ModelMessage[];
  if (messages.length === 0) return 'its messages are empty';
  for (const [i, { role, content }] of messages.entries()) {
    if (role !== (i % 2 === 0 ? 'user' : 'assistant'))
      return `messages[${i}] is of the ${role}; roles alternate, and the user begins`;
    if (content.length === 0) return `messages[${i}] is empty`;
    const asked = idsIn(messages[i - 1], 'tool_use');
    const answered = idsIn(messages[i], 'tool_result');
    const open = asked.find((id) => !answered.includes(id));
    if (open !== undefined) return `messages[${i}] has no result for the tool call ${JSON.stringify(open)}`;
    const stray = answered.find((id) => !asked.includes(id));
    if (stray !== undefined)
      return `messages[${i}] has a result for ${JSON.stringify(stray)}, which nobody called`;
  }
  return messages.at(-1)?.role === 'assistant' ? 'its last message is of the assistant' : undefined;
}

function idsIn(message: ModelMessage | undefined, type: 'tool_use' | 'tool_result'): readonly string[] {
  return (message?.content ?? []).flatMap((block: ContentBlock) => {
    if (block.type !== type) return [];
    return [block.type === 'tool_use' ? block.id : block.tool_use_id];
  });
}
