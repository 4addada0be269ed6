/** Finds matchers that match none of the tools there are: a guard that will never be asked. */
import type { Matches } from '../dialect.js';
import { type PreflightProblem, warning } from './problem.js';

const SHOWN_TOOLS = 8;

/**
 * `matches`: a compiled matcher, undefined for one that matches everything. `matcher`: how it is written, for the
 * message. With no tools known nothing can be said.
 */
export function preflightMatcher(
  matches: Matches | undefined,
  knownTools: readonly string[],
  matcher?: string,
): PreflightProblem | undefined {
  if (!matches || knownTools.length === 0 || knownTools.some((tool) => matches(tool))) return undefined;
  const shown = knownTools.slice(0, SHOWN_TOOLS).join(', ');
  const more = knownTools.length > SHOWN_TOOLS ? `, and ${knownTools.length - SHOWN_TOOLS} more` : '';
  const meant = knownTools.find((tool) => tool.toLowerCase() === matcher?.trim().toLowerCase());
  const advice = meant
    ? `Write ${meant}: upper and lower case count`
    : 'Correct it, or leave it out to match everything';
  const name = matcher === undefined ? 'The matcher' : `The matcher ${JSON.stringify(matcher)}`;
  return warning(
    'matcher_matches_nothing',
    `${name} matches none of the known tools (${shown}${more}). ${advice}.`,
  );
}
