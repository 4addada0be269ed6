/** Matchers of the default dialect: exact names and globs, `|` between alternatives. */
export { compileNames as compileMatcher } from '../../base/text/name-matcher.js';

/** A pattern that compiles but was surely meant as a regular expression: as a glob it would match nothing. */
export function lintMatcher(pattern: string): string | undefined {
  const regular = /^\^|\$$|\.[*+]|[()+]/.test(pattern);
  return regular
    ? 'may never match: it looks like a regular expression, but matchers here are names and globs such as `mcp__*`'
    : undefined;
}
