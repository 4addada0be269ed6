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

function setOf(inside: readonly string[]): Token {
  const negated = inside[0] === '!';
  const members = negated ? inside.slice(1) : inside;
  const ranges: [number, number][] = [];
  for (let at = 0; at < members.length; at++) {
    const from = codeOf(members[at]);
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([from, isRange ? codeOf(members[at + 2]) : from]);
    if (isRange) at += 2;
  }
  return (character) => {
    const code = codeOf(character);
    return ranges.some(([from, to]) => code >= from && code <= to) !== negated;
  };
}

function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? Number.NaN;
}

function refuse(pattern: string, why: string): HookError {
  return new HookError('invalid_matcher', `The matcher ${show(pattern)} cannot be used: ${why}.`);
}
