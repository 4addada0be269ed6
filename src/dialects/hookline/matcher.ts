/** Matchers of the default dialect: exact names and globs, with `|` between alternatives. */
export { compileNames as compileMatcher } from '../../base/text/name-matcher.js';

/** Reports a pattern that compiles but is surely a regular expression: as a glob it would match nothing. */
export function lintMatcher(pattern: string): string | undefined {
  const regular = /^\^|\$$|\.[*+]|[()+]/.test(pattern);
  return regular
    ? 'may never match: it looks like a regular expression, but matchers here are names and globs such as `mcp__*`'
    : undefined;
}
