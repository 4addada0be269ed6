/** Compares names as file systems do that ignore case, such as those of macOS and Windows. */

/** Two names with the same result are one file there. Also evens out the two ways to write `é`. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
