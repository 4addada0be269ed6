/** Matchers of Codex: names, or an expression of another kind than those of JavaScript. */
import { HookError, show } from '../../base/errors.js';
import type { Matches } from '../../config/dialect.js';
import { compilePattern } from '../host/answers.js';

/** One tool that edits and writes files is known by these names too. */
const PATCHES: ReadonlySet<string> = new Set(['apply_patch']);
const PATCH_NAMES = ['Write', 'Edit'];

/** Letters, digits, `_` and `|`: a list of names. Anything else: an expression that may match anywhere. */
export function compileMatcher(pattern: string): Matches {
  const names = new Set(pattern.split('|'));
  const matches = /^[A-Za-z0-9_|]*$/.test(pattern)
    ? (name: string) => names.has(name)
    : compilePattern(inJavaScript(pattern), pattern);
  return (subject) => matches(subject) || (PATCHES.has(subject) && PATCH_NAMES.some(matches));
}

/** It has flags at its beginning, and neither look-around nor references to groups. */
function inJavaScript(pattern: string): string {
  const [, found] = /(?<!\\)(?:\\\\)*(\(\?<?[=!]|\\[1-9])/.exec(pattern) ?? [];
  if (found !== undefined) {
    const why = `Codex has no ${show(found)} in expressions`;
    throw new HookError('invalid_matcher', `The matcher ${show(pattern)} cannot be used: ${why}.`);
  }
  return pattern.startsWith('(?i)') ? anyCase(pattern.slice('(?i)'.length)) : pattern;
}

/** Each letter in both cases; what follows a backslash is no letter. */
function anyCase(pattern: string): string {
  const parts = pattern.match(/\\.|\[(?:\\.|[^\]\\])*\]|[\s\S]/g) ?? [];
  return parts.map((part) => (part.startsWith('\\') ? part : bothCases(part))).join('');
}

function bothCases(part: string): string {
  const [lower, upper] = [part.toLowerCase(), part.toUpperCase()];
  if (lower === upper) return part;
  return part.startsWith('[') ? `(?:${lower}|${upper})` : `[${lower}${upper}]`;
}
