/** Formats values as short texts, so that what a page shows is limited. */
import { cutText } from '../base/text/cut-text.js';

/** In characters. */
export const MAX_LENGTHS = { name: 200, input: 4000, output: 8000, text: 20_000 } as const;

export const cut = cutText;

/** JSON on one line, or the text itself. Never throws. */
export function showValue(value: unknown, longest: number): string {
  if (typeof value === 'string') return cutText(value, longest);
  try {
    return cutText(JSON.stringify(value) ?? '', longest);
  } catch {
    return 'a value that cannot be shown';
  }
}
