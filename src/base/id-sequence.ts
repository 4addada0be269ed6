/** Texts that never come twice: a stem that is made now and then, and two digits that count. */

const PER_STEM = 256;
const DIGITS: readonly string[] = Array.from({ length: PER_STEM }, (_, i) => i.toString(16).padStart(2, '0'));

/** Contract: `makeStem` never gives the same text twice. It is asked once for every 256 texts. */
export function createIdSequence(makeStem: () => string): () => string {
  let stem = '';
  let next = 0;
  return () => {
    if (next === 0) stem = makeStem();
    const text = stem + DIGITS[next];
    next = (next + 1) % PER_STEM;
    return text;
  };
}
