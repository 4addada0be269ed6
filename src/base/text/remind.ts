/** Marks a text for a model as words of the program around it, not of its user. */

/** Models read tags loosely, so variants with capitals and spaces must be escaped too. */
const CLOSING = /<(?=[\s\p{Cf}]*\/[\s\p{Cf}]*system-reminder)/giu;
/** How frames of items begin and end. */
const FRAME = /[┌└]─+ (?=(?:message from outside|end of message)\b)/g;

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
