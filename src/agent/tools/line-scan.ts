/** Finds the lines that match a regular expression, without letting a slow expression block the process. */
import { createContext, Script } from 'node:vm';
import isSafeRegex from 'safe-regex2';
import { messageOf } from '../../base/errors.js';

const MAX_PATTERN = 1000;
/** Only this much of a line is searched: longer lines are generated, and slow to search. */
const MAX_LINE = 20_000;
const LINES_AT_ONCE = 5000;
const MAX_MS_AT_ONCE = 500;

/** Returns the numbers of the matching lines, from 0, or undefined if the expression takes too long. */
export type ScanLines = (lines: readonly string[], signal: AbortSignal) => Promise<number[] | undefined>;

const scan = new Script(
  'for (let i = from; i < to; i++) { expression.lastIndex = 0; if (expression.test(lines[i])) found.push(i); }',
);

/** Returns an error message if the expression is invalid or known to be too slow. */
export function compileScan(pattern: string, ignoreCase: boolean): ScanLines | string {
  if (pattern.length > MAX_PATTERN) return `The pattern is longer than ${MAX_PATTERN} characters.`;
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, ignoreCase ? 'i' : '');
  } catch (error) {
    return `The pattern is not a valid regular expression: ${messageOf(error)}. Escape special characters with a backslash to search for them.`;
  }
  if (!isSafeRegex(expression))
    return 'The pattern could take forever on some lines, because it has nested repetitions. Simplify it.';
  return async (lines, signal) => {
    const found: number[] = [];
    const looked = lines.map((line) => (line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line));
    for (let from = 0; from < looked.length; from += LINES_AT_ONCE) {
      signal.throwIfAborted();
      const to = Math.min(from + LINES_AT_ONCE, looked.length);
      if (!scanWithin(MAX_MS_AT_ONCE, { expression, lines: looked, found, from, to })) return undefined;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  };
}

/**
 * A backtracking expression cannot be interrupted from the same thread, except by the engine itself, which does so
 * for scripts with a time limit. No foreign code runs in there.
 */
function scanWithin(timeout: number, globals: object): boolean {
  try {
    scan.runInContext(createContext(globals), { timeout });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  }
}
