/** Which tools' results may carry an item: names and globs with `|` between them, as in the default dialect. */
import { compileNames, type MatchesName } from '../base/text/name-matcher.js';

export type MatchesTool = MatchesName;

/** Undefined: every tool. Throws a HookError, code `invalid_matcher`, for one that cannot be used. */
export function compileToolMatcher(pattern: string | undefined): MatchesTool | undefined {
  if (pattern === undefined || pattern === '') return undefined;
  const matches = compileNames(pattern);
  return pattern.split('|').some((part) => part.trim() === '*') ? undefined : matches;
}
