/** Makes a deep, plain JSON copy of untrusted data, or returns a sentence that says why it cannot. */

export interface CopyLimits {
  readonly maxDepth: number;
  readonly maxNodes: number;
}

export const COPY_LIMITS: CopyLimits = Object.freeze({ maxDepth: 100, maxNodes: 1_000_000 });

/** An array of numbers is one node with many entries; the limit on nodes allows this many entries per node. */
const ENTRIES_PER_NODE = 10;

export type Copied =
  | { readonly ok: true; readonly value: unknown; readonly dropped?: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** Keys that would reach a prototype when the copy is merged into another object. They are dropped. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Copies plain objects, arrays and JSON scalars. Properties that are undefined are left out, as in JSON. Contract:
 * never throws and never keeps a reference to the source, whatever the source is (getters that throw, proxies, cycles,
 * class instances, functions).
 */
export function plainCopy(source: unknown, limits: CopyLimits = COPY_LIMITS): Copied {
  if (typeof source !== 'object' || source === null) return copyScalar(source);
  let nodes = 0;
  let dropped: string[] | undefined;
  let problem: string | undefined;
  /** Unwinds the recursion and records the reason. */
  const refuse = (sentence: string): never => {
    problem = sentence;
    throw new Error(sentence);
  };

  let entries = 0;
  const count = (more: number): void => {
    entries += more;
    if (entries > ENTRIES_PER_NODE * limits.maxNodes) refuse('it has too many entries');
  };

  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value !== 'object' || value === null) {
      if (isJsonScalar(value)) return value;
      return refuse(`${describeScalar(value)} is not JSON data`);
    }
    if (depth > limits.maxDepth)
      return refuse(`it is nested deeper than ${limits.maxDepth} levels, or refers to itself`);
    nodes += 1;
    if (nodes > limits.maxNodes) return refuse(`it has more than ${limits.maxNodes} objects and arrays`);
    if (Array.isArray(value)) {
      count(value.length);
      const list: unknown[] = [];
      for (let i = 0; i < value.length; i++)
        list.push(value[i] === undefined ? null : copy(value[i], depth + 1));
      return list;
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null && !isForeignObject(prototype)) {
      return refuse(`an instance of ${nameOfClass(prototype)} is not JSON data`);
    }
    const record: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (PROTOTYPE_KEYS.has(key)) {
        dropped ??= [];
        dropped.push(key);
        continue;
      }
      count(1);
      const item = (value as Record<string, unknown>)[key];
      if (item !== undefined) record[key] = copy(item, depth + 1);
    }
    return record;
  };

  try {
    const value = copy(source, 1);
    return dropped === undefined ? { ok: true, value } : { ok: true, value, dropped };
  } catch (error) {
    return { ok: false, problem: problem ?? `it cannot be read: ${textOf(error)}` };
  }
}

function copyScalar(value: unknown): Copied {
  if (value === undefined || isJsonScalar(value)) return { ok: true, value };
  return { ok: false, problem: `${describeScalar(value)} is not JSON data` };
}

function isJsonScalar(value: unknown): boolean {
  const type = typeof value;
  return (
    type === 'string' || type === 'boolean' || value === null || (type === 'number' && Number.isFinite(value))
  );
}

/** An object of another realm (a vm context, a worker's proxy) is plain too: its prototype has no prototype. */
function isForeignObject(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

function nameOfClass(prototype: object): string {
  const name: unknown = prototype.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'a class';
}

function describeScalar(value: unknown): string {
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'bigint') return 'a BigInt';
  return value === undefined ? 'undefined' : `a ${typeof value}`;
}

function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'an error that cannot be shown';
  }
}
