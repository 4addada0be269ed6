/**
 * Regular expressions in bounded time: the pattern becomes an automaton that is in all of its states at once, so no text
 * makes it try the same thing twice, and there is a limit to what it may cost.
 */
import { parsePattern, UnsupportedPattern } from './parse.js';
import { MAX_STEPS, pass } from './pass.js';
import { type CompiledPattern, compileProgram } from './program.js';

/** Whether the expression fits somewhere in a text; undefined: that would take too long to tell. */
export type Search = (text: string) => boolean | undefined;

/** A longer one is not taken apart. */
const MAX_PATTERN = 4096;

/**
 * Contract: means what `new RegExp(source)` means, and throws what that throws for what is no expression.
 * Returns half a sentence for one that cannot be searched for in bounded time, such as one that refers back to a group.
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
