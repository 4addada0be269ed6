/** Suggests the known word that was probably intended. */

/** A shorter prefix may fit many words. */
const MIN_PREFIX = 4;

/** The nearest known word, if it is near enough to be a typo; otherwise one that starts with the given word. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const wanted = plain(word);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(wanted, plain(name));
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name, distance };
  }
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  if (best !== undefined && best.distance <= allowed) return best.name;
  if (wanted.length < MIN_PREFIX) return undefined;
  return known.find((name) => plain(name).startsWith(wanted));
}

/** ` Did you mean x?`, or an empty string. */
export function didYouMean(word: string, known: readonly string[], prefix = ''): string {
  const meant = suggest(word, known);
  return meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`;
}

/** Words are compared up to this length. */
const MAX_LENGTH = 64;

const plain = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '')
    .slice(0, MAX_LENGTH);

/** The number of letters to add, drop, change or swap with their neighbour. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j++) {
      const changed = from[i - 1] === to[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + changed,
          swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
