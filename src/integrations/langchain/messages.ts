/** Reads and extends LangChain's messages. */
import { fieldOf, textOf as textOfBlocks } from '../tool-content.js';

/** The text of a message. */
export const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : Array.isArray(content) ? textOfBlocks(content) : '';

/** Whether the last message is of a person, or of the model without calls of tools. */
export function lastIs(messages: readonly object[], type: 'human' | 'ai'): boolean {
  const last = messages.at(-1);
  const calls = fieldOf(last, 'tool_calls');
  return typeOf(last) === type && !(Array.isArray(calls) && calls.length > 0);
}

const typeOf = (message: unknown): unknown => {
  const getType = fieldOf(message, 'getType');
  return typeof getType === 'function' ? getType.call(message) : fieldOf(message, 'type');
};

export const isFailed = (message: unknown): boolean => fieldOf(message, 'status') === 'error';

/** Puts texts behind the content of a message. Returns false if it has none. */
export function addTexts(message: unknown, texts: readonly string[]): boolean {
  if (texts.length === 0) return true;
  const content = fieldOf(message, 'content');
  if (typeof content === 'string')
    return Reflect.set(message as object, 'content', [content, ...texts].filter(Boolean).join('\n\n'));
  if (!Array.isArray(content)) return false;
  const blocks = texts.map((text) => ({ type: 'text', text }));
  return Reflect.set(message as object, 'content', [...content, ...blocks]);
}

/** A text, or a list of content blocks; anything else becomes JSON. A message without content stays as it is. */
export function replaceContent(message: unknown, output: unknown): void {
  if (fieldOf(message, 'content') === undefined) return;
  const isContent =
    typeof output === 'string' ||
    (Array.isArray(output) && output.every((block) => fieldOf(block, 'type') !== undefined));
  Reflect.set(message as object, 'content', isContent ? output : (JSON.stringify(output) ?? ''));
}
