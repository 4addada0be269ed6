/**
 * A copy-on-write view of shared data: reads go to the original, writes stay in the view.
 *
 * Copying a payload for every reader costs its size each time. A view costs the same for a kilobyte as for a megabyte,
 * and a reader that changes its view changes nothing for other readers.
 */
import { inspect } from 'node:util';

/** Scalars need no view. Data that is not plain is converted to JSON. */
export function privateView(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const standIn = standInFor(value);
  return standIn === undefined ? asJson(value) : new Proxy(standIn, new View(value));
}

/**
 * A field of a record that needs a view, and the others of the same record. Computed once and shared by all readers. A
 * linked list, because most records have one such field.
 */
export interface Viewed {
  readonly key: string;
  readonly source: object;
  readonly standIn: object | undefined;
  readonly next: Viewed | undefined;
}

/** Undefined: no field needs a view. */
export function viewedParts(record: Readonly<Record<string, unknown>>): Viewed | undefined {
  let parts: Viewed | undefined;
  for (const key in record) parts = addPart(parts, key, record[key]);
  return parts;
}

/** The parts with one field more, if it needs a view. */
export function addPart(parts: Viewed | undefined, key: string, source: unknown): Viewed | undefined {
  if (typeof source !== 'object' || source === null) return parts;
  return { key, source, standIn: standInFor(source), next: parts };
}

/** A record of the reader's own: changes to it, at any depth, are invisible to others. Contract: `parts` are its own. */
export function privateRecord(
  record: Readonly<Record<string, unknown>>,
  parts: Viewed | undefined,
): Record<string, unknown> {
  const own = { ...record };
  for (let part = parts; part !== undefined; part = part.next) {
    const { key, source, standIn } = part;
    own[key] = standIn === undefined ? asJson(source) : new Proxy(standIn, new View(source));
  }
  return own;
}

/** Undefined if the value is not plain data or cannot be inspected. */
function standInFor(value: object): object | undefined {
  try {
    if (Array.isArray(value)) return LIST_STAND_IN;
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null ? STAND_IN : undefined;
  } catch {
    return undefined;
  }
}

function asJson(value: object): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

/**
 * The target of the view's proxy, instead of the original: a proxy must report frozen objects and constant properties
 * truthfully, and the original may have them. `console.log` inspects the target, so it defines how the view is printed.
 * The target is never modified, so all views share one.
 */
class StandIn {
  [inspect.custom](): object {
    return { ...this };
  }
}

class ListStandIn extends Array<unknown> {
  [inspect.custom](): unknown[] {
    return [...this];
  }
}

const STAND_IN = new StandIn();
const LIST_STAND_IN = new ListStandIn();

function shallowCopy(value: object): object {
  if (Array.isArray(value)) return value.slice();
  return Object.getPrototypeOf(value) === null ? { __proto__: null, ...value } : { ...value };
}

class View implements ProxyHandler<object> {
  declare private readonly source: object;
  /** Views of nested objects handed out so far, so that every read returns the same object. */
  declare private nested: Map<PropertyKey, unknown> | undefined;
  /** After the first write: the view's own copy of this level, in which nested objects are already views. */
  declare private own: object | undefined;

  constructor(source: object) {
    this.source = source;
    this.nested = undefined;
    this.own = undefined;
  }

  get(_target: object, key: PropertyKey): unknown {
    if (this.own !== undefined) return Reflect.get(this.own, key);
    const value: unknown = Reflect.get(this.source, key);
    return typeof value === 'object' && value !== null ? this.nestedView(key, value) : value;
  }

  set(_target: object, key: PropertyKey, value: unknown): boolean {
    return Reflect.set(this.detach(), key, value);
  }

  deleteProperty(_target: object, key: PropertyKey): boolean {
    return Reflect.deleteProperty(this.detach(), key);
  }

  defineProperty(_target: object, key: PropertyKey, descriptor: PropertyDescriptor): boolean {
    return Reflect.defineProperty(this.detach(), key, descriptor);
  }

  has(_target: object, key: PropertyKey): boolean {
    return Reflect.has(this.own ?? this.source, key);
  }

  ownKeys(): (string | symbol)[] {
    return Reflect.ownKeys(this.own ?? this.source);
  }

  getOwnPropertyDescriptor(target: object, key: PropertyKey): PropertyDescriptor | undefined {
    const descriptor = Reflect.getOwnPropertyDescriptor(this.own ?? this.source, key);
    if (descriptor === undefined) return undefined;
    const isLength = Array.isArray(target) && key === 'length';
    return {
      value: this.get(target, key),
      writable: true,
      enumerable: descriptor.enumerable === true,
      configurable: !isLength,
    };
  }

  getPrototypeOf(): object | null {
    return Object.getPrototypeOf(this.source);
  }

  setPrototypeOf(): boolean {
    return false;
  }

  preventExtensions(): boolean {
    return false;
  }

  private nestedView(key: PropertyKey, value: object): unknown {
    // Values inherited from a prototype are not data.
    if (!Object.hasOwn(this.source, key)) return value;
    this.nested ??= new Map();
    let view = this.nested.get(key);
    if (view === undefined) {
      view = privateView(value);
      this.nested.set(key, view);
    }
    return view;
  }

  private detach(): object {
    if (this.own !== undefined) return this.own;
    const own = shallowCopy(this.source);
    for (const key of Reflect.ownKeys(own)) {
      const value: unknown = Reflect.get(own, key);
      if (typeof value === 'object' && value !== null) Reflect.set(own, key, this.nestedView(key, value));
    }
    this.own = own;
    return own;
  }
}
