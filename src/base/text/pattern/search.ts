/**
 * Regular expressions in bounded time: the pattern becomes an automaton that tracks all its states at once, so no text
 * causes backtracking, and the total cost is limited.
 */
import { parsePattern, UnsupportedPattern } from './parse.js';
import { MAX_STEPS, pass } from './pass.js';
import { type CompiledPattern, compileProgram } from './program.js';

/** Whether the expression matches somewhere in the text; undefined if finding out would take too long. */
export type Search = (text: string) => boolean | undefined;

/** Longer patterns are not parsed. */
const MAX_PATTERN = 4096;

/**
 * Contract: has the same meaning as `new RegExp(source)`, and throws the same error for an invalid expression. Returns
 * a reason as a clause if the expression cannot be searched in bounded time, for example because it has a
 * backreference.
 */
export function compileSearch(source: string): Search | string {
  new RegExp(source);
  if (source.length > MAX_PATTERN) return `it has more than ${MAX_PATTERN} characters`;
  let pattern: CompiledPattern;
  try {
    pattern = compileProgram(parsePattern(source));
  } catch (error) {
    if (error instanceof UnsupportedPattern) return error.message;
    throw error;
  }
  return (text) => search(pattern, text);
}

function search({ main, looks }: CompiledPattern, text: string): boolean | undefined {
  const tables: Uint8Array[] = [];
  const searching = { text, tables, stepsLeft: MAX_STEPS };
  for (const look of looks) {
    if (text.length > searching.stepsLeft) return undefined;
    const table = new Uint8Array(text.length + 1);
    const mark = (place: number): boolean => {
      table[place] = 1;
      return false;
    };
    if (pass(look, searching, mark) === undefined) return undefined;
    tables.push(table);
  }
  return pass(main, searching, () => true);
}
