/** Sets one nested field in a copy of some data and creates missing levels. */

/** Contract: pure. `path` contains no empty part and no `__proto__`. */
export function setPath(target: unknown, [part, ...rest]: readonly string[], value: unknown): unknown {
  if (part === undefined) return value;
  if (Array.isArray(target) && /^\d{1,4}$/.test(part)) {
    const copy = [...target];
    copy[Number(part)] = setPath(copy[Number(part)], rest, value);
    return copy;
  }
  const fields = typeof target === 'object' && target !== null && !Array.isArray(target) ? target : {};
  const inner = Object.hasOwn(fields, part) ? (fields as Readonly<Record<string, unknown>>)[part] : undefined;
  return { ...fields, [part]: setPath(inner, rest, value) };
}
