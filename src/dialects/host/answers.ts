/** Parts that the hosts' readers of answers share. */

import { HookError, messageOf, show } from '../../base/errors.js';
import { escapeControls } from '../../base/json/escape-controls.js';
import { compileSearch } from '../../base/text/pattern/search.js';
import type { Matches } from '../../config/dialect.js';
import type { Json } from './host.js';

/** A JSON object in a text; undefined if the text is anything else. */
export function objectIn(text: string): Json | undefined {
  const value = parsed(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

/** Undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function specificOf(answer: Json): Json {
  const specific = answer['hookSpecificOutput'];
  return isObject(specific) ? specific : {};
}

/** A text that is not empty; undefined for anything else. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? escapeControls(value) : undefined;
}

export const NO_REASON = 'The hook refused without giving a reason';

/** A regular expression as matcher. Throws a HookError for an invalid one. */
export function compilePattern(source: string, shown: string): Matches {
  try {
    const search = compileSearch(source);
    // A name that cannot be matched in bounded time counts as a match: the hook may be a guard.
    return typeof search === 'string' ? () => true : (subject) => search(subject) ?? true;
  } catch (cause) {
    const why = `it is not a valid regular expression (${messageOf(cause)})`;
    throw new HookError('invalid_matcher', `The matcher ${show(shown)} cannot be used: ${why}.`, { cause });
  }
}

/** An expression that may match anywhere; an invalid one is compared literally. */
export function patternOrLiteral(pattern: string): Matches {
  const wanted = pattern.trim();
  try {
    return compilePattern(wanted, pattern);
  } catch {
    return (subject) => subject === wanted;
  }
}
