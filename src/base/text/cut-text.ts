/** Texts for a model have a bound, and one that was shortened says so. */

/** Shorter bounds would leave no room for more than the marker. */
export const SHORTEST_BOUND = 100;

/** The result is never longer than the bound, so that cutting again changes nothing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const marker = `\n[cut: ${text.length} characters in all]`;
  return keepWhole(text, Math.max(0, limit - marker.length)) + marker;
}

/** Never cuts a character that takes two units in the middle. */
function keepWhole(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
