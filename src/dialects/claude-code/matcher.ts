/** Matchers as Claude Code reads them: a list of exact names, or a regular expression that may match anywhere. */
import isSafeRegex from 'safe-regex2';
import type { Matches } from '../../config/dialect.js';
import { HookError, show } from '../../errors.js';

/** Names, with `|` or `,` between them. Everything else is a regular expression. */
const PLAIN_LIST = /^[\w\s|,]+$/;
const LONGEST_PATTERN = 4096;
/** No tool has a name as long as this; more of it is not looked at. */
const LONGEST_SUBJECT = 128;
/** Each repetition multiplies the ways an expression can be tried; so few of them, on so short a name, stay cheap. */
const MOST_REPETITIONS = 4;

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
  const expression = compileExpression(pattern);
  return underEveryName((subject) => expression.test(subject.slice(0, LONGEST_SUBJECT)));
}

export function doubtMatcher(pattern: string): string | undefined {
  if (/^\w+\(/.test(pattern))
    return 'it looks like a permission rule; write the tool as matcher and the rule as `if`';
  return undefined;
}

function compileExpression(pattern: string): RegExp {
  if (pattern.length > LONGEST_PATTERN)
    throw refuse(pattern, `it has more than ${LONGEST_PATTERN} characters`);
  let expression: RegExp;
  try {
    expression = new RegExp(pattern);
  } catch (error) {
    throw refuse(
      pattern,
      `it is no regular expression (${error instanceof Error ? error.message : error})`,
      error,
    );
  }
  const repetitions = pattern.match(/(?<!\\)(?:[*+]|\{\d+,\d*\})/g)?.length ?? 0;
  const repeatedChoice = pattern.includes('|') && /\)(?:[*+]|\{)/.test(pattern);
  if (repetitions > MOST_REPETITIONS || repeatedChoice || !isSafeRegex(expression))
    throw refuse(
      pattern,
      'it can take for ever on some names; avoid repeated choices and nested or many repetitions',
    );
  return expression;
}

function underEveryName(matches: Matches): Matches {
  return (subject) => {
    if (matches(subject)) return true;
    const alias = Object.hasOwn(ALIASES, subject) ? ALIASES[subject] : undefined;
    return alias !== undefined && matches(alias);
  };
}

function refuse(pattern: string, why: string, cause?: unknown): HookError {
  return new HookError('invalid_matcher', `The matcher ${show(pattern)} cannot be used: ${why}.`, { cause });
}
