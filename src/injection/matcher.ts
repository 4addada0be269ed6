/** Which tools' results may carry an item: names and globs with `|` between them, as in the default dialect. */
import { Minimatch, type MinimatchOptions } from 'minimatch';
import { HookError, show } from '../errors.js';

/** Contract: pure and quick, whatever the name is. */
export type MatchesTool = (toolName: string) => boolean;

const LONGEST_PATTERN = 4096;
const MOST_WILDCARDS = 12;

const OPTIONS: MinimatchOptions = {
  dot: true,
  nobrace: true,
  nocomment: true,
  noext: true,
  nonegate: true,
  optimizationLevel: 0,
  platform: 'linux',
};

/** Undefined: every tool. Throws a HookError, code `invalid_matcher`, for one that cannot be used. */
export function compileToolMatcher(pattern: string | undefined): MatchesTool | undefined {
  if (pattern === undefined || pattern === '' || pattern === '*') return undefined;
  if (pattern.length > LONGEST_PATTERN)
    throw refuse(pattern, `it is longer than ${LONGEST_PATTERN} characters`);
  const parts = pattern.split('|').map((part) => part.trim());
  if (parts.includes('')) throw refuse(pattern, 'one of its alternatives is empty; remove the extra `|`');
  if (parts.includes('*')) return undefined;
  const exact = new Set(parts.filter((part) => !/[*?[\\]/.test(part)));
  const globs = parts.filter((part) => !exact.has(part)).map((part) => compileGlob(pattern, part));
  return (toolName) => {
    if (exact.has(toolName)) return true;
    const name = asName(toolName);
    return globs.some((glob) => glob.match(name));
  };
}

function compileGlob(pattern: string, glob: string): Minimatch {
  if (/(?<!\\)\[[^\]]*$/.test(glob)) {
    throw refuse(pattern, `the \`[\` in ${show(glob)} is never closed; write \`\\[\` for a bracket`);
  }
  const wildcards = glob.replaceAll(/\*+/g, '*').split(/[*?[]/).length - 1;
  if (wildcards > MOST_WILDCARDS) {
    throw refuse(pattern, `${show(glob)} has ${wildcards} wildcards, at most ${MOST_WILDCARDS} are allowed`);
  }
  return new Minimatch(asName(glob), OPTIONS);
}

/** A name is not a path: a slash is a letter, and no name is taken for `.` or `..`. */
function asName(text: string): string {
  return `x${text.replaceAll('/', '\uffff')}`;
}

function refuse(pattern: string, why: string): HookError {
  return new HookError('invalid_matcher', `The matcher ${show(pattern)} of an item cannot be used: ${why}.`);
}
