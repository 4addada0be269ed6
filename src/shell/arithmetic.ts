/**
 * Whether a shell can evaluate an expression without running something. The value of a variable is an expression too,
 * and a subscript in it is expanded: `x='a[$(rm f)]'; echo $((x))` runs `rm`.
 */
import type { ShellState } from './state.js';

const MAX_EXPRESSION = 1000;
/** Numbers, names, `$name`, operators and brackets; no quotes, backslashes or substitutions. */
const PLAIN = /^(?:[\w\s+\-*/%<>=!&|^~?:,()[\]@]|\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|[#?$!]))*$/;
const NAME = /(?<![\w#])[A-Za-z_]\w*/g;

export function isHarmlessExpression(text: string, state: ShellState): boolean {
  if (text.length > MAX_EXPRESSION || !PLAIN.test(text)) return false;
  return (text.match(NAME) ?? []).every((name) => /^0[xX]/.test(name) || state.isNumber(name));
}

/** An array subscript: all elements, a number, or a name. */
export function isHarmlessSubscript(text: string, state: ShellState): boolean {
  return text === '@' || text === '*' || isHarmlessExpression(text, state);
}

/** A variable name without a subscript, which would be expanded. */
export function isName(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z_]\w*$/.test(text);
}

/** The variables whose values an expression uses, except those that it sets itself. */
export function namesReadBy(text: string): readonly string[] {
  const set = new Set([...text.matchAll(/([A-Za-z_]\w*)\s*=(?!=)/g)].map(([, name]) => name));
  return (text.match(NAME) ?? []).filter((name) => !/^0[xX]/.test(name) && !set.has(name));
}

const SETS =
  /([A-Za-z_]\w*)(?:\[[^\]]*\])?\s*(?:(?:<<|>>|[-+*/%&|^])?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** The variables that an expression assigns. */
export function namesSetBy(text: string): readonly string[] {
  return [...text.matchAll(SETS)].map(([, before, after]) => before ?? after ?? '');
}
