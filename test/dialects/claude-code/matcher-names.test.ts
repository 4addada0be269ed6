import { expect, it } from 'vitest';
import { compileMatcher } from '../../../src/dialects/claude-code/matcher.js';

it.each([
  ['general-purpose', 'general-purpose', true],
  ['general-purpos', 'general-purpose', false],
  ['code-reviewer, general-purpose', 'general-purpose', true],
  ['code-.*', 'my-code-reviewer', true],
])('MA-11 %s on %s: a name with a hyphen is a name, not a pattern', (pattern, subject, matches) => {
  expect(compileMatcher(pattern)(subject)).toBe(matches);
});
