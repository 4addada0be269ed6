/** Places items in messages of OpenAI's APIs, whose results of tools are messages of their own. */

import type { PlaceableMessage } from './format.js';
import { createFramer, type FrameOptions } from './frame.js';
import type { InjectionItem } from './port.js';

/** Where a message has its text, and what its parts are called. */
interface TextList {
  readonly field: 'content' | 'output';
  readonly partType: 'text' | 'input_text';
}

/** Undefined: the message belongs to another API, or is a user's message that all APIs write alike. */
export function openaiList({ role, type, content }: PlaceableMessage): TextList | undefined {
  if (role === 'tool') return { field: 'content', partType: 'text' };
  if (type === 'function_call_output') return { field: 'output', partType: 'input_text' };
  const hasInputParts = Array.isArray(content) && content.some((part) => part.type.startsWith('input_'));
  return role === 'user' && hasInputParts ? { field: 'content', partType: 'input_text' } : undefined;
}

/** A text stays a text; parts get a part for each item. Throws when `createFramer` throws. */
export function placeInList<Message extends PlaceableMessage>(
  message: Message,
  { field, partType }: TextList,
  items: readonly InjectionItem[],
  options: FrameOptions,
): Message {
  const own = message[field];
  const parts: readonly { readonly text?: unknown }[] = Array.isArray(own) ? own : [{ text: own ?? '' }];
  const framer = createFramer(
    items,
    parts.map(({ text }) => (typeof text === 'string' ? text : '')),
    options,
  );
  const frames = items.map(framer.frame);
  if (!Array.isArray(own)) return { ...message, [field]: [own, ...frames].filter(Boolean).join('\n\n') };
  return { ...message, [field]: [...own, ...frames.map((text) => ({ type: partType, text }))] };
}
