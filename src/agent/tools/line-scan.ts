/** Finds the lines that fit a regular expression, without ever letting one expression hold the process up. */
import { createContext, Script } from 'node:vm';
import isSafeRegex from 'safe-regex2';
import { messageOf } from '../../base/errors.js';

const MAX_PATTERN = 1000;
/** More of a line is not looked at: such lines are generated, and costly. */
const MAX_LINE = 20_000;
const LINES_AT_ONCE = 5000;
const MAX_MS_AT_ONCE = 500;

/** The numbers of the lines that fit, from 0; or undefined when the expression takes too long on them. */
export type ScanLines = (lines: readonly string[], signal: AbortSignal) => Promise<number[] | undefined>;

const scan = new Script(
  'for (let i = from; i < to; i++) { expression.lastIndex = 0; if (expression.test(lines[i])) found.push(i); }',
);

/** Returns a sentence for what is no expression, or is known to be too costly. */
export function compileScan(pattern: string, ignoreCase: boolean): ScanLines | string {
  if (pattern.length > MAX_PATTERN) return `The pattern is longer than ${MAX_PATTERN} characters.`;
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, ignoreCase ? 'i' : '');
  } catch (error) {
    return `The pattern is no regular expression: ${messageOf(error)}. Escape special characters with a backslash to search for them.`;
  }
  if (!isSafeRegex(expression))
    return 'The pattern can take for ever on some lines: it repeats what itself repeats. Simplify it.';
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
 * An expression that backtracks cannot be interrupted from the same thread, except by the engine itself: it does so
 * for scripts that have a time limit. Nothing foreign runs in there.
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
