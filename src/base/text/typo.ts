/** Distinguishes a typo from a different word. */

/** In a shorter word, one changed letter makes a different word: `sync` is not a typo of `async`. */
const MIN_LENGTH = 6;

/**
 * Whether a word is a known one with one letter added, dropped, changed or swapped with its neighbour, or with a
 * different spelling style, such as `updated_input` for `updatedInput`. Contract: the cost depends on the length of the
 * known word only.
 */
export function isTypo(word: string, known: string): boolean {
  // Allows a separator per letter plus one extra letter; longer words cannot match.
  if (word === known || word.length > 2 * known.length + 1) return false;
  const [written, meant] = [plain(word), plain(known)];
  if (written === meant) return true;
  return meant.length >= MIN_LENGTH && differsOnce(written, meant);
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_\s]/g, '');

function differsOnce(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [restOfA, restOfB] = [a.slice(at), b.slice(at)];
  if (restOfA.slice(1) === restOfB || restOfA === restOfB.slice(1)) return true;
  if (restOfA.slice(1) === restOfB.slice(1)) return true;
  return swapped(restOfA) === restOfB;
}

const swapped = (text: string): string => `${text.charAt(1)}${text.charAt(0)}${text.slice(2)}`;
