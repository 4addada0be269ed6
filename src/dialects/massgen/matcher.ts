/** Matchers as MassGen reads them: Python's fnmatch, case-sensitive everywhere, with `|` between alternatives. */

import { HookError, show } from '../../base/errors.js';
import type { Matches } from '../../config/dialect.js';

const MAX_PATTERN = 1024;
/** A limit on comparisons. A name that needs more counts as a match, in case the hook is a guard. */
const MAX_COMPARISONS = 1_000_000;

/** One position of a pattern: any run of characters, or a test for one character. */
type Token = 'star' | ((character: string) => boolean);

export function compileMatcher(pattern: string): Matches {
  if (pattern.length > MAX_PATTERN) {
    throw refuse(pattern, `it has ${pattern.length} characters, at most ${MAX_PATTERN} are allowed`);
  }
  const parts = pattern
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) {
    throw refuse(pattern, 'it names no tool, so the hook would never run; leave it out to match every tool');
  }
  if (parts.includes('*')) return () => true;
  const exact = new Set(parts.filter((part) => !/[*?[]/.test(part)));
  const globs = parts.filter((part) => !exact.has(part)).map(tokens);
  if (globs.length === 0) return (subject) => exact.has(subject);
  return (subject) => exact.has(subject) || globs.some((glob) => matchesGlob(glob, [...subject]));
}

/** Backtracks to the latest star only, which is enough and keeps the time bounded. */
function matchesGlob(glob: readonly Token[], subject: readonly string[]): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  let comparisons = 0;
  while (place < subject.length) {
    comparisons += 1;
    if (comparisons > MAX_COMPARISONS) return true;
    const token = glob[at];
    if (token === 'star') {
      star = at++;
      resume = place;
    } else if (token?.(subject[place] as string)) {
      at++;
      place++;
    } else if (star >= 0) {
      at = star + 1;
      place = ++resume;
    } else return false;
  }
  while (glob[at] === 'star') at++;
  return at === glob.length;
}

function tokens(glob: string): Token[] {
  const characters = [...glob];
  const list: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] as string;
    const end = character === '[' ? endOfSet(characters, at) : -1;
    if (end >= 0) {
      list.push(setOf(characters.slice(at + 1, end)));
      at = end;
    } else if (character === '*') list.push('star');
    else list.push(character === '?' ? () => true : (other) => other === character);
  }
  return list;
}

/**
 * A `]` directly after the opening, or after its `!`, stands for itself. Without an end the `[` is a plain character.
 */
function endOfSet(characters: readonly string[], start: number): number {
  const first = characters[start + 1] === '!' ? start + 2 : start + 1;
  return characters.indexOf(']', first + 1);
}

/** As in Python, a range that ends before it begins is left out, and only then the first character may negate the set. */
function setOf(inside: readonly string[]): Token {
  const parts = splitAtRanges(inside);
  for (let at = parts.length - 1; at > 0; at--) {
    const [before = [], after = []] = [parts[at - 1], parts[at]];
    if (codeOf(before.at(-1)) > codeOf(after[0]))
      parts.splice(at - 1, 2, [...before.slice(0, -1), ...after.slice(1)]);
  }
  const negated = parts[0]?.[0] === '!';
  if (negated) parts[0]?.shift();
  // A hyphen with nothing before it stands for itself.
  if (parts[0]?.length === 0 && parts.length > 1) parts.splice(0, 2, ['-', ...(parts[1] ?? [])]);
  const members = new Set(parts.flat());
  const ranges = parts.slice(1).map((part, at) => [codeOf(parts[at]?.at(-1)), codeOf(part[0])] as const);
  return (character) => {
    const code = codeOf(character);
    const isMember = members.has(character) || ranges.some(([from, to]) => code >= from && code <= to);
    return isMember !== negated;
  };
}

/** Each part ends with the start of a range, and the next one begins with its end. Other hyphens are characters. */
function splitAtRanges(inside: readonly string[]): string[][] {
  const parts: string[][] = [];
  let from = 0;
  let hyphen = inside.indexOf('-', inside[0] === '!' ? 2 : 1);
  while (hyphen >= 0 && hyphen < inside.length - 1) {
    parts.push(inside.slice(from, hyphen));
    from = hyphen + 1;
    hyphen = inside.indexOf('-', hyphen + 3);
  }
  return [...parts, inside.slice(from)];
}

function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? Number.NaN;
}

function refuse(pattern: string, why: string): HookError {
  return new HookError('invalid_matcher', `The matcher ${show(pattern)} cannot be used: ${why}.`);
}
