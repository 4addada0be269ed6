/** Estimates how many tokens content has that the model has not counted yet. */
import type { ContentBlock, ModelMessage, ToolResultBlock } from '../models/port.js';

const CHARACTERS_PER_TOKEN = 4;
/** What services charge for a large image; its bytes say little. */
const IMAGE_TOKENS = 1600;
/** Base64 characters of a PDF for one token: a page of 3,000 tokens has some 70 kB. */
const FILE_CHARACTERS_PER_TOKEN = 30;

type Inner = Exclude<ToolResultBlock['content'], string>[number];

/** Messages do not change, so each is looked at once. */
const known = new WeakMap<ModelMessage, number>();

export function estimateMessages(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

export function estimateMessage(message: ModelMessage): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const tokens = estimateContent(message.content);
  known.set(message, tokens);
  return tokens;
}

export function estimateContent(content: string | readonly (ContentBlock | Inner)[]): number {
  if (typeof content === 'string') return ofText(content.length);
  return content.reduce((sum, block) => sum + ofBlock(block as ContentBlock), 0);
}

function ofBlock(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return ofText(block.text.length);
    case 'image':
      return IMAGE_TOKENS;
    case 'document':
      if (block.source.type === 'url') return IMAGE_TOKENS;
      return block.source.type === 'text'
        ? ofText(block.source.data.length)
        : Math.max(IMAGE_TOKENS, Math.ceil(block.source.data.length / FILE_CHARACTERS_PER_TOKEN));
    // The service counts what was thought, not how it is encrypted.
    case 'thinking':
      return ofText(block.thinking.length);
    case 'redacted_thinking':
      return ofText(block.data.length / 2);
    case 'tool_result':
      return 10 + estimateContent(block.content);
    default:
      return ofText(JSON.stringify(block)?.length ?? 0);
  }
}

const ofText = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
