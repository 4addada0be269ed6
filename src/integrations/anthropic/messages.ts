/** Reads and extends the SDK's messages. */
import type { Wire } from '../session/own-loop.js';
import { fieldOf, textOf as textOfBlocks } from '../tool-content.js';
import type { HostMessage, Reply, ToolUse } from './host.js';

const textBlock = (text: string) => ({ type: 'text', text }) as const;

const blocksOf = (content: unknown): readonly unknown[] =>
  typeof content === 'string'
    ? content === ''
      ? []
      : [textBlock(content)]
    : Array.isArray(content)
      ? content
      : [];

/** What was said in a message. */
export const textOf = ({ content }: { readonly content: unknown }): string => textOfBlocks(blocksOf(content));

export const userMessage = (content: unknown): HostMessage => ({ role: 'user', content });

/** The message of a user with texts behind it, which stay in the conversation with it. */
export function withTexts(message: HostMessage, texts: readonly string[]): HostMessage {
  return texts.length === 0
    ? message
    : { ...message, content: [...blocksOf(message.content), ...texts.map(textBlock)] };
}

export const toolUsesOf = ({ content }: Reply): readonly ToolUse[] =>
  content.filter((block): block is ToolUse => block.type === 'tool_use');

/** A text, or content blocks; an output that is neither becomes JSON. */
export function outputWith(output: unknown, texts: readonly string[]): string | readonly unknown[] {
  const isBlocks =
    Array.isArray(output) && output.every((block) => typeof fieldOf(block, 'type') === 'string');
  if (isBlocks) return [...output, ...texts.map(textBlock)];
  const own = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  return [...(own === '' ? [] : [own]), ...texts].join('\n\n');
}

/** The Messages API. A turn that it has paused is continued by sending it back. */
export const WIRE: Wire<HostMessage, Reply> = {
  said: ({ content }) => [{ role: 'assistant', content }],
  callsOf: (reply) => toolUsesOf(reply).map(({ id, name, input }) => ({ id, name, readInput: () => input })),
  resultsOf: (results) => [
    userMessage(
      results.map(({ id, content, isError }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content,
        ...(isError && { is_error: true }),
      })),
    ),
  ],
  outputWith,
  isPaused: ({ stop_reason }) => stop_reason === 'pause_turn',
};
