/**
 * Globs over paths, name by name: `*`, `?`, `[…]` inside a name, `**` for any number of names.
 *
 * Not minimatch: it is fast on hostile patterns too, but reports no match for a pattern with more than 200 `**`, and
 * throws for one with more than 65,536 characters. A deny rule must not silently lose its effect. Here every pattern is
 * evaluated, at a cost of at most pattern times path.
 */

import { foldCase } from '../base/text/fold-case.js';

type Sign = string | 'any' | ((character: string) => boolean);
const ANY_TEXT = Symbol('*');

/** One name of a pattern: a list of characters to compare, or `**`. */
export type Segment = '**' | readonly (Sign | typeof ANY_TEXT)[];

export function compileSegment(name: string): Segment {
  if (name === '**') return '**';
  const signs: (Sign | typeof ANY_TEXT)[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = name[at] as string;
    const end = character === '[' ? name.indexOf(']', at + 2) : -1;
    if (character === '*') {
      if (signs.at(-1) !== ANY_TEXT) signs.push(ANY_TEXT);
    } else if (character === '?') signs.push('any');
    else if (end > 0) {
      signs.push(characterClass(name.slice(at + 1, end)));
      at = end;
    } else if (character === '\\' && at + 1 < name.length) {
      at += 1;
      signs.push(name[at] as string);
    } else signs.push(character);
  }
  return signs;
}

/** For names that `foldCase` has changed. A class such as `[A-Z]` matches both cases. */
export function foldSegment(segment: Segment): Segment {
  if (segment === '**') return segment;
  return segment.map((sign) => {
    if (typeof sign === 'function')
      return (character: string) => sign(character) || sign(character.toUpperCase());
    return typeof sign === 'string' && sign !== 'any' ? foldCase(sign) : sign;
  });
}

export function matchesSegments(pattern: readonly Segment[], names: readonly string[]): boolean {
  return matchesSequence(
    pattern,
    names,
    (segment) => segment === '**',
    (segment, name) => segment !== '**' && matchesName(segment, name),
  );
}

function matchesName(signs: readonly (Sign | typeof ANY_TEXT)[], name: string): boolean {
  return matchesSequence(
    signs,
    name,
    (sign) => sign === ANY_TEXT,
    (sign, character) => {
      if (sign === ANY_TEXT) return false;
      return sign === 'any' || (typeof sign === 'function' ? sign(character) : sign === character);
    },
  );
}

/** On a mismatch, only the last star needs another try: earlier ones have already matched. */
function matchesSequence<P>(
  pattern: readonly P[],
  text: ArrayLike<string>,
  isStar: (part: P) => boolean,
  fits: (part: P, item: string) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let i = 0; i < text.length; ) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) {
      star = at++;
      starAt = i;
    } else if (part !== undefined && fits(part, text[i] as string)) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      at = star + 1;
      i = ++starAt;
    } else return false;
  }
  while (at < pattern.length && isStar(pattern[at] as P)) at += 1;
  return at === pattern.length;
}

/** `[abc]`, `[a-z]`, `[!a]`, `[^a]`. */
function characterClass(inside: string): (character: string) => boolean {
  const negated = /^[!^]/.test(inside);
  const list = negated ? inside.slice(1) : inside;
  const ranges: [string, string][] = [];
  for (let at = 0; at < list.length; at++) {
    const first = list[at] as string;
    const last = list[at + 1] === '-' ? list[at + 2] : undefined;
    ranges.push([first, last ?? first]);
    if (last !== undefined) at += 2;
  }
  return (character) => ranges.some(([first, last]) => first <= character && character <= last) !== negated;
}
