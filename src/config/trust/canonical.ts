/** Writes plain data in exactly one way: keys sorted, no white space, and different values never alike. */
import { show } from '../../base/errors.js';

/** Deeper data is no configuration, and reading it would only exhaust the stack. */
const DEEPEST = 100;

/** Undefined fields count as absent. Throws for what is not plain data. */
export function canonical(value: unknown, depth = 0): string {
  if (depth > DEEPEST)
    throw new TypeError(`The hook is nested more than ${DEEPEST} levels deep. Flatten it.`);
  if (value === null || value === undefined) return 'null';
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      // Not JSON, so that it cannot be mistaken for a text: YAML has NaN, Infinity and -0.
      return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint':
      return `${value}n`;
    case 'object':
      return ofObject(value, depth + 1);
    default:
      throw new TypeError(`The hook has ${show(value)} in it, which is not plain data. Give JSON data.`);
  }
}

function ofObject(value: object, depth: number): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth)).join(',')}]`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`The hook has ${show(value)} in it, which is not plain data. Give JSON data.`);
  }
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field, depth)}`).join(',')}}`;
}
