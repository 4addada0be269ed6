/** Places items in messages of OpenAI's APIs, whose results of tools are messages of their own. */

import type { PlaceableMessage, PlaceOptions } from './format.js';
import { createFramer } from './frame.js';
import type { InjectionItem } from './port.js';
import { splitTexts, withNotes } from './system-notes.js';

/** Where a message has its text, and what its parts are called. */
interface TextList {
  readonly isResult: boolean;
  readonly field: 'content' | 'output';
  readonly partType: 'text' | 'input_text';
}

/** Undefined: the message belongs to another API, or is a user's message that all APIs write alike. */
export function openaiList({ role, type, content }: PlaceableMessage): TextList | undefined {
  if (role === 'tool') return { isResult: true, field: 'content', partType: 'text' };
  if (type === 'function_call_output') return { isResult: true, field: 'output', partType: 'input_text' };
  const hasInputParts = Array.isArray(content) && content.some((part) => part.type.startsWith('input_'));
  return role === 'user' && hasInputParts
    ? { isResult: false, field: 'content', partType: 'input_text' }
    : undefined;
}

/** A text stays a text; parts get a part for each item. In the structured style a result is one JSON text. Throws when `createFramer` throws. */
export function placeInList<Message extends PlaceableMessage>(
  message: Message,
  { field, partType, isResult }: TextList,
  items: readonly InjectionItem[],
  options: PlaceOptions,
): Message {
  const own = message[field];
  if (options.style === 'structured' && isResult) {
    const { texts, others } = splitTexts(Array.isArray(own) ? own : [{ type: partType, text: own ?? '' }]);
    const text = withNotes(texts, items, options.maxContentLength);
    return { ...message, [field]: others.length === 0 ? text : [{ type: partType, text }, ...others] };
  }
  if (items.length === 0) return message;
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
