/** Formats values as short texts, so that what a page shows is limited. */
import { relative } from 'node:path';
import { isInside } from '../base/files/inside.js';
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

/** The file and line of a hook, in the form that editors open; relative if it is inside the folder. */
export function showPlace(
  { file, line }: { readonly file: string; readonly line: number },
  cwd: string,
): string {
  return cutText(`${isInside(file, cwd) ? relative(cwd, file) : file}:${line}`, MAX_LENGTHS.name);
}
