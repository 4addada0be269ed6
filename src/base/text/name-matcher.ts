/** Matchers for names: exact names and globs, separated by `|`. */
import { Minimatch, type MinimatchOptions } from 'minimatch';
import { HookError, show } from '../errors.js';

/** Contract: pure, never throws, and takes microseconds for any name. */
export type MatchesName = (name: string) => boolean;

const MAX_PATTERN = 4096;
/** Every `*` multiplies the ways a glob can match; a glob with more than this is unreadable anyway. */
const MAX_WILDCARDS = 12;
/**
 * A glob may be tried at every character of a name. Beyond this cost it counts as a match, in case it belongs to a
 * guard.
 */
const MAX_COMPARISONS = 2_000_000;

const OPTIONS: MinimatchOptions = {
  dot: true,
  nobrace: true,
  nocomment: true,
  noext: true,
  nonegate: true,
  optimizationLevel: 0,
  platform: 'linux',
};

/** Throws a HookError with code `invalid_matcher` for a pattern that cannot be used. */
export function compileNames(pattern: string): MatchesName {
  if (pattern.length > MAX_PATTERN) {
    throw refuse(pattern, `it has ${pattern.length} characters, at most ${MAX_PATTERN} are allowed`);
  }
  let all = false;
  const exact = new Set<string>();
  const globs: MatchesName[] = [];
  for (const part of pattern.split('|')) {
    const alternative = part.trim();
    if (alternative === '') throw refuse(pattern, 'one of its alternatives is empty; remove the extra `|`');
    if (alternative === '*') all = true;
    else if (/[*?[\\]/.test(alternative)) globs.push(compileGlob(pattern, alternative));
    else exact.add(alternative);
  }
  if (all) return () => true;
  if (globs.length === 0) return (subject) => exact.has(subject);
  return (subject) => {
    if (exact.has(subject)) return true;
    const name = asName(subject);
    return globs.some((matches) => matches(name));
  };
}

function compileGlob(pattern: string, glob: string): MatchesName {
  if (/(?<!\\)\[[^\]]*$/.test(glob))
    throw refuse(pattern, `the \`[\` in ${show(glob)} is never closed; write \`\\[\` for a bracket`);
  const wildcards = glob.replaceAll(/\*+/g, '*').split(/[*?[]/).length - 1;
  if (wildcards > MAX_WILDCARDS) {
    throw refuse(pattern, `${show(glob)} has ${wildcards} wildcards, at most ${MAX_WILDCARDS} are allowed`);
  }
  const compiled = new Minimatch(asName(glob), OPTIONS);
  return (name) => glob.length * name.length > MAX_COMPARISONS || compiled.match(name);
}

/**
 * A name is not a path: `mcp__*` must also match a tool called `mcp__files/read`, so a slash is treated as a letter.
 * The leading letter keeps a name from being read as `.`, `..` or an absolute path.
 */
function asName(text: string): string {
  return `x${text.includes('/') ? text.replaceAll('/', '\uffff') : text}`;
}

function refuse(pattern: string, why: string): HookError {
  return new HookError('invalid_matcher', `The matcher ${show(pattern)} cannot be used: ${why}.`);
}
