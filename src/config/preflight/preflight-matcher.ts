/** Finds matchers that match none of the known names: their guards would never run. */
import type { Matches } from '../dialect.js';
import { type PreflightProblem, warning } from './problem.js';

const SHOWN_NAMES = 8;

/**
 * `matches` is the compiled matcher, undefined if it matches everything. `matcher` is its source and `what` describes
 * the names, both for the message. Returns undefined if no names are known.
 */
export function preflightMatcher(
  matches: Matches | undefined,
  known: readonly string[],
  matcher?: string,
  what = 'known tools',
): PreflightProblem | undefined {
  if (!matches || known.length === 0 || known.some((name) => matches(name))) return undefined;
  const shown = known.slice(0, SHOWN_NAMES).join(', ');
  const more = known.length > SHOWN_NAMES ? `, and ${known.length - SHOWN_NAMES} more` : '';
  const meant = known.find((name) => name.toLowerCase() === matcher?.trim().toLowerCase());
  const advice = meant
    ? `Write ${meant}: matchers are case-sensitive`
    : 'Correct it, or leave it out to match everything';
  const name = matcher === undefined ? 'The matcher' : `The matcher ${JSON.stringify(matcher)}`;
  return warning(
    'matcher_matches_nothing',
    `${name} matches none of the ${what} (${shown}${more}). ${advice}.`,
  );
}
