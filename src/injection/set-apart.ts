/** Marks what hooks inject, so that a model can tell it from the output of a tool and from the words of its user. */
import type { Injection } from '../handlers/verdict.js';
import { parseFrames } from './frame.js';

/** Models read tags loosely, so variants with capitals and spaces must be escaped too. */
const CLOSING = /<(?=\s*\/\s*system-reminder)/gi;
const LINE = '═'.repeat(55);

/** Wraps a text in tags that mark it as not from the user. The text cannot close the tag. Never throws. */
export function remind(text: string): string {
  return `<system-reminder>\n${text.replaceAll(CLOSING, '<\\')}\n</system-reminder>`;
}

/**
 * Marks an injection of a hook: between lines, to be appended to a tool's result, or as a `<system-reminder>`, to be
 * placed after it. Content that is framed already is returned as it is. Never throws.
 */
export function setApart({ content, strategy }: Injection): string {
  if (parseFrames(content).length > 0) return content;
  if (strategy === 'user_message') return remind(content);
  // A line of the content cannot pass for one of ours.
  const own = content.replaceAll(/^═{3,}/gm, ' $&');
  return `${LINE}\nSYSTEM CONTEXT (not part of tool output):\n${own}\n${LINE}`;
}
