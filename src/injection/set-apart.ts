/** Marks what hooks inject, so that a model can tell it from the output of a tool and from the words of its user. */
import type { Injection } from '../handlers/verdict.js';

/** Models read tags loosely, so variants with capitals and spaces must be escaped too. */
const CLOSING = /<(?=[\s\p{Cf}]*\/[\s\p{Cf}]*system-reminder)/giu;
/** How frames of items begin and end. */
const FRAME = /[┌└]─+ (?=(?:message from outside|end of message)\b)/g;
const RULE = /═{3,}/g;
const LINE = '═'.repeat(55);

/** Only items have frames: in any other text that others may have written, the lines of one are changed. Never throws. */
export function withoutFrames(text: string): string {
  return text.replaceAll(FRAME, '+-- ');
}

/**
 * Wraps a text in tags that mark it as not from the user. The text cannot close the tag, nor pass for an item. Never
 * throws.
 */
export function remind(text: string): string {
  return `<system-reminder>\n${withoutFrames(text).replaceAll(CLOSING, '<\\')}\n</system-reminder>`;
}

/**
 * Marks an injection of a hook: between lines, to be appended to a tool's result, or as a `<system-reminder>`, to be
 * placed after it. Nothing in its content looks like a mark of ours: a hook may pass on what others wrote. Never throws.
 */
export function setApart({ content, strategy }: Injection): string {
  if (strategy === 'user_message') return remind(content);
  const own = withoutFrames(content).replaceAll(RULE, (line) => '='.repeat(line.length));
  return `${LINE}\nSYSTEM CONTEXT (not part of tool output):\n${own}\n${LINE}`;
}
