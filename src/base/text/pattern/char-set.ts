/** Sets of UTF-16 code units, for the classes of a regular expression. */

/** Sorted, non-adjacent ranges: from, to, from, to, … Both ends are inclusive. */
export type CharSet = readonly number[];

const LAST = 0xffff;

export const DIGITS: CharSet = [0x30, 0x39];
export const WORD: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a];
export const SPACE: CharSet = [
  ...[0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029],
  ...[0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff],
];
/** What `.` matches. */
export const NOT_LINE_END: CharSet = complement([0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]);

export function single(code: number): CharSet {
  return [code, code];
}

export function union(sets: readonly CharSet[]): CharSet {
  const ranges = sets.flatMap(pairs).sort(([a], [b]) => a - b);
  const merged: number[] = [];
  for (const [from, to] of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last + 1) merged[merged.length - 1] = Math.max(last, to);
    else merged.push(from, to);
  }
  return merged;
}

export function complement(set: CharSet): CharSet {
  const rest: number[] = [];
  let next = 0;
  for (const [from, to] of pairs(set)) {
    if (from > next) rest.push(next, from - 1);
    next = to + 1;
  }
  if (next <= LAST) rest.push(next, LAST);
  return rest;
}

/** Binary search. NaN is in no set. */
export function contains(set: CharSet, code: number): boolean {
  let low = 0;
  let high = set.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const from = set[2 * middle] as number;
    if (code >= from && code <= (set[2 * middle + 1] as number)) return true;
    if (code < from) high = middle - 1;
    else low = middle + 1;
  }
  return false;
}

function pairs(set: CharSet): (readonly [from: number, to: number])[] {
  const ranges: (readonly [number, number])[] = [];
  for (let i = 0; i < set.length; i += 2) ranges.push([set[i] as number, set[i + 1] as number]);
  return ranges;
}
