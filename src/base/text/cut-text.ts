/** Texts have a bound, and one that was shortened says so. */

/** Shorter bounds would leave no room for more than the marker. */
export const MIN_BOUND = 100;

/** For a model. The result is never longer than the bound, so that cutting again changes nothing. */
export function cutText(text: string, limit: number): string {
  return shorten(text, limit, `\n[cut: ${text.length} characters in all]`);
}

/** At most `limit` units, the mark at the end of what was cut included. */
export function shorten(text: string, limit: number, mark = '...'): string {
  if (text.length <= limit) return text;
  return cutAt(text, Math.max(0, limit - mark.length)) + mark;
}

/** On one line, and at most `limit` units. */
export function oneLine(text: string, limit: number): string {
  return shorten(text.trim().replaceAll(/\s+/g, ' '), limit);
}

/** The beginning of a text, which never ends in the middle of a character that takes two units. */
export function cutAt(text: string, length: number): string {
  return text.slice(0, beforePair(text, length));
}

/** The index itself, or the one before it where that is between the two halves of one character. */
export function beforePair(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? index - 1 : index;
}
