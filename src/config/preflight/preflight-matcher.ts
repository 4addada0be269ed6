/** Finds matchers that match none of the names there are: a guard that will never be asked. */
import type { Matches } from '../dialect.js';
import { type PreflightProblem, warning } from './problem.js';

const SHOWN_NAMES = 8;

/**
 * `matches`: a compiled matcher, undefined for one that matches everything. `matcher`: how it is written, for the
 * message; `what`: what the names are. With no names known nothing can be said.
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
    ? `Write ${meant}: upper and lower case count`
    : 'Correct it, or leave it out to match everything';
  const name = matcher === undefined ? 'The matcher' : `The matcher ${JSON.stringify(matcher)}`;
  return warning(
    'matcher_matches_nothing',
    `${name} matches none of the ${what} (${shown}${more}). ${advice}.`,
  );
}
