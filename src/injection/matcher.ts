/**
 * Compiles an item's matcher, which selects the tools whose results may carry it: names and globs separated by `|`, as
 * in the default dialect.
 */
import { compileNames, type MatchesName } from '../base/text/name-matcher.js';

export type MatchesTool = MatchesName;

/** Undefined: every tool. Throws a HookError with the code `invalid_matcher` for an invalid pattern. */
export function compileToolMatcher(pattern: string | undefined): MatchesTool | undefined {
  if (pattern === undefined || pattern === '') return undefined;
  const matches = compileNames(pattern);
  return pattern.split('|').some((part) => part.trim() === '*') ? undefined : matches;
}
