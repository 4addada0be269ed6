/** Shortens texts to a limit and marks those that were cut. */

/** A smaller limit would leave room for the marker only. */
export const MIN_BOUND = 100;

/** For a model. The result never exceeds the limit, so cutting it again changes nothing. */
export function cutText(text: string, limit: number): string {
  return shorten(text, limit, `\n[cut: ${text.length} characters in all]`);
}

/** At most `limit` UTF-16 units, including the mark at the end. */
export function shorten(text: string, limit: number, mark = '...'): string {
  if (text.length <= limit) return text;
  return cutAt(text, Math.max(0, limit - mark.length)) + mark;
}

/** On one line, at most `limit` UTF-16 units. */
export function oneLine(text: string, limit: number): string {
  return shorten(text.trim().replaceAll(/\s+/g, ' '), limit);
}

/** The beginning of a text; never splits a surrogate pair. */
export function cutAt(text: string, length: number): string {
  return text.slice(0, beforePair(text, length));
}

/** Returns the index, or the one before it if the index would split a surrogate pair. */
export function beforePair(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? index - 1 : index;
}
