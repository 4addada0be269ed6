/** Makes a conversation smaller without a model: removes the oldest tool results and images first. */
import type { ContentBlock, ModelMessage, TextBlock, ToolResultBlock } from '../models/port.js';
import { capText } from '../tools/cap-content.js';
import { estimateContent, estimateMessages } from './estimate-tokens.js';

const REMOVED_RESULT = '[This result was removed to save space. Call the tool again if you need it.]';
const REMOVED_IMAGE = '[An image was removed to save space.]';
const UNREADABLE_IMAGE = '[An image was removed: the service could not read it.]';
const REMOVED_FILE = '[A file was removed to save space.]';

/** Where the last exchange begins: the last answer with its results, or the last message of the user. */
export function startOfTail(messages: readonly ModelMessage[]): number {
  const last = messages.at(-1);
  if (last === undefined || last.role === 'assistant') return messages.length;
  const hasResults = last.content.some(({ type }) => type === 'tool_result');
  return messages.length - (hasResults && messages.at(-2)?.role === 'assistant' ? 2 : 1);
}

/**
 * Removes results, images and files from the oldest on, until the conversation has at most `target` tokens by estimate. The last
 * exchange stays whole. Returns undefined if there was nothing to remove.
 */
export function pruneOldest(
  messages: readonly ModelMessage[],
  target: number,
): { readonly messages: readonly ModelMessage[]; readonly tokens: number } | undefined {
  const tail = startOfTail(messages);
  let tokens = estimateMessages(messages);
  let changed = false;
  const pruned = messages.map((message, i) => {
    if (i >= tail || message.role !== 'user' || tokens <= target) return message;
    const content = message.content.map((block) => {
      if (tokens <= target) return block;
      const smaller = removed(block);
      const saved = estimateContent([block]) - estimateContent([smaller]);
      if (saved <= 0) return block;
      tokens -= saved;
      changed = true;
      return smaller;
    });
    return { ...message, content };
  });
  return changed ? { messages: pruned, tokens } : undefined;
}

function removed(block: ContentBlock): ContentBlock {
  if (block.type === 'tool_result') return { ...block, content: REMOVED_RESULT };
  if (block.type === 'image') return { type: 'text', text: REMOVED_IMAGE };
  return block.type === 'document' ? { type: 'text', text: REMOVED_FILE } : block;
}

/** Shortens the texts of results, wherever they are; images stay. */
export function shortenResults(
  messages: readonly ModelMessage[],
  characters: number,
): readonly ModelMessage[] {
  return messages.map((message) => ({
    ...message,
    content: message.content.map((block) =>
      block.type === 'tool_result' ? { ...block, content: shortened(block.content, characters) } : block,
    ),
  }));
}

function shortened(content: ToolResultBlock['content'], characters: number): ToolResultBlock['content'] {
  if (typeof content === 'string') return capText(content, characters);
  return content.map((part) => ('text' in part ? { ...part, text: capText(part.text, characters) } : part));
}

/** Removes images from this message on, also those of results. Returns undefined if there are none. */
export function withoutImages(
  messages: readonly ModelMessage[],
  start: number,
): readonly ModelMessage[] | undefined {
  let changed = false;
  const smaller = <Block extends { readonly type: string }>(block: Block): Block | TextBlock => {
    if (block.type !== 'image') return block;
    changed = true;
    return { type: 'text', text: UNREADABLE_IMAGE };
  };
  const replaced = messages.map((message, i) => {
    if (i < start) return message;
    const content = message.content.map((block) =>
      block.type === 'tool_result' && typeof block.content === 'object'
        ? { ...block, content: block.content.map(smaller) }
        : smaller(block),
    );
    return { ...message, content };
  });
  return changed ? replaced : undefined;
}
