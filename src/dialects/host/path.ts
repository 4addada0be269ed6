/** Values inside objects and lists, by a path with dots: `tool_info.edits.0.new_string`. */
import type { Json } from './host.js';

export function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const key of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Json)[key];
  }
  return current;
}

/** Makes what is missing on the way: a list where a number follows, an object otherwise. */
export function setAt(target: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let current = target;
  for (const [index, key] of keys.entries()) {
    const next = current[key];
    const made = /^\d+$/.test(keys[index + 1] ?? last) ? [] : {};
    current[key] = typeof next === 'object' && next !== null ? next : made;
    current = current[key] as Record<string, unknown>;
  }
  current[last] = value;
}

/** The first key of a path. */
export const topOf = (path: string): string => path.split('.', 1)[0] ?? path;
