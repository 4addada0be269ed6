/** Quotes words as a line that a shell reads as exactly these words. */
import { quoted } from '../../../base/text/shell-word.js';
import type { ShellWord } from '../../../shell/read-line.js';

/** Never set, so that a word containing it stays unknown. */
export const UNKNOWN_VARIABLE = 'HOOKLINE_UNKNOWN_WORD';

export function lineOf(words: readonly ShellWord[]): string {
  return words.map(quotedWord).join(' ');
}

/** A literal word. */
export function wordOf(text: string): ShellWord {
  return { raw: text, value: text, globs: false, splits: false, plain: true, environment: [] };
}

function quotedWord({ value, globs, splits }: ShellWord): string {
  if (value === undefined || splits) return splits ? `$${UNKNOWN_VARIABLE}` : `"$${UNKNOWN_VARIABLE}"`;
  return globs ? value.replaceAll(/[^\w*?[\]/.-]/g, (letter) => quoted(letter)) : quoted(value);
}
