/**
 * A private view of somebody else's data: reads go to the original, writes stay in the view.
 *
 * Copying a payload for every reader costs its size each time; a view costs the same for a kilobyte and for a
 * megabyte, and a reader that does change what it was given changes nothing for anybody else.
 */
import { inspect } from 'node:util';

/** Values without objects in them need no view. Data that is not plain is shown as JSON would write it. */
export function privateView(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const standIn = standInFor(value);
  return standIn === undefined ? asJson(value) : new Proxy(standIn, new View(value));
}

/** The parts of a record that need views, looked at once for everybody who gets one. */
export interface Viewed {
  readonly key: string;
  readonly source: object;
  readonly standIn: object | undefined;
}

export function viewedParts(record: Readonly<Record<string, unknown>>): readonly Viewed[] {
  let parts: Viewed[] | undefined;
  for (const key in record) {
    const source = record[key];
    if (typeof source !== 'object' || source === null) continue;
    const part = { key, source, standIn: standInFor(source) };
    if (parts === undefined) parts = [part];
    else parts.push(part);
  }
  return parts ?? NO_PARTS;
}

/** A record of one's own: what is changed in it, at any depth, nobody else sees. */
export function privateRecord(
  record: Readonly<Record<string, unknown>>,
  parts: readonly Viewed[] = viewedParts(record),
): Record<string, unknown> {
  const own = { ...record };
  for (let i = 0; i < parts.length; i++) {
    const { key, source, standIn } = parts[i] as Viewed;
    own[key] = standIn === undefined ? asJson(source) : new Proxy(standIn, new View(source));
  }
  return own;
}

const NO_PARTS: readonly Viewed[] = Object.freeze([]);

/** Undefined: it is not plain data, or cannot even be looked at. */
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
 * What stands behind a view in place of the original: a proxy may not lie about an object that is frozen or has
 * constants in it, and the original may be one. `console.log` looks at the stand-in, so it knows how to show the view.
 * Nothing ever reaches it, so that one is enough for all views.
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
  /** Views of nested objects handed out so far, so that they are the same object on every read. */
  declare private nested: Map<PropertyKey, unknown> | undefined;
  /** After the first write: the view's own copy of this level, its nested objects already views. */
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
    // What a prototype offers (methods are functions and never come here) is nobody's data.
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
