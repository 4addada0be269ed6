/** Writes a text as a word of a line for a shell. */

/** In quotes, within which no character means anything else. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In quotes only where it needs them, because people read the line. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text);
}
