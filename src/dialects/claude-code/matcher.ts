/** Matchers as Claude Code reads them: a list of exact names, or a regular expression that may match anywhere. */

import { HookError, messageOf, show } from '../../base/errors.js';
import { compileSearch, type Search } from '../../base/text/pattern/search.js';
import type { Matches } from '../../config/dialect.js';

/** Names, with `|` or `,` between them. Everything else is a regular expression. */
const PLAIN_LIST = /^[\w\s|,-]+$/;

/** One tool under two names: a matcher for either means both. */
const ALIASES: Readonly<Record<string, string>> = { Task: 'Agent', Agent: 'Task' };

export function compileMatcher(pattern: string): Matches {
  if (pattern === '*') return () => true;
  if (PLAIN_LIST.test(pattern)) {
    const names = new Set(
      pattern
        .split(/[|,]/)
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    );
    return underEveryName((subject) => names.has(subject));
  }
  const search = searchFor(pattern);
  if (search instanceof HookError) throw search;
  // A name that cannot be matched in bounded time counts as a match: the hook may be a guard.
  if (typeof search === 'string') return () => true;
  return underEveryName((subject) => search(subject) ?? true);
}

export function lintMatcher(pattern: string): string | undefined {
  if (/^\w+\(/.test(pattern))
    return 'may never match: it looks like a permission rule; write the tool as matcher and the rule as `if`';
  const search = pattern === '*' || PLAIN_LIST.test(pattern) ? undefined : searchFor(pattern);
  if (typeof search !== 'string') return undefined;
  return `matches every name, because it cannot be matched in bounded time: ${search}. Write it in another way`;
}

/** A string: why it counts as matching everything. */
function searchFor(pattern: string): Search | string | HookError {
  try {
    return compileSearch(pattern);
  } catch (cause) {
    const why = `it is not a valid regular expression (${messageOf(cause)})`;
    return new HookError('invalid_matcher', `The matcher ${show(pattern)} cannot be used: ${why}.`, {
      cause,
    });
  }
}

function underEveryName(matches: Matches): Matches {
  return (subject) => {
    if (matches(subject)) return true;
    const alias = Object.hasOwn(ALIASES, subject) ? ALIASES[subject] : undefined;
    return alias !== undefined && matches(alias);
  };
}
