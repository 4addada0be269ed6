/** Serialises plain data in exactly one way: keys sorted, no white space, different values never equal. */
import { show } from '../../base/errors.js';

/** Deeper data is not a configuration and would only exhaust the stack. */
const MAX_DEPTH = 100;

/** Undefined fields are treated as absent. Throws for values that are not plain data. */
export function canonical(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH)
    throw new TypeError(`The hook is nested more than ${MAX_DEPTH} levels deep. Flatten it.`);
  if (value === null || value === undefined) return 'null';
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      // Not JSON, so that it cannot be mistaken for a string: YAML has NaN, Infinity and -0.
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
