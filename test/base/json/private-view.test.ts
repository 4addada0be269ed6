import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCopy } from '../../../src/base/json/plain-copy.js';
import { privateView } from '../../../src/base/json/private-view.js';

// biome-ignore lint/suspicious/noExplicitAny: tests do to views whatever a hook may do to its input
type Anything = any;

const view = (source: unknown): Anything => privateView(source);
const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const sample = () => ({
  name: 'Bash',
  options: { deep: { list: [3, 1, 2], flag: true }, empty: {} },
  items: [{ id: 1 }, { id: 2 }, [10, 20]],
  nothing: null,
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) deepFreeze(item);
    Object.freeze(value);
  }
  return value;
}

describe('reading', () => {
  it('IS-1 a view reads like its source, at every level', () => {
    const source = sample();
    const seen = view(source);
    expect(seen).toEqual(source);
    expect(JSON.stringify(seen)).toBe(JSON.stringify(source));
    expect(Object.keys(seen)).toEqual(Object.keys(source));
    expect(Object.entries(seen.options)).toEqual(Object.entries(source.options));
    expect({ ...seen }).toEqual(source);
    expect([...seen.items]).toEqual(source.items);
    expect('name' in seen).toBe(true);
    expect('other' in seen).toBe(false);
    expect(Object.hasOwn(seen, 'options')).toBe(true);
    expect(seen.items.map((item: { id?: number }) => item.id)).toEqual([1, 2, undefined]);
  });

  it('IS-1 lists are lists and records are records', () => {
    const seen = view(sample());
    expect(Array.isArray(seen.items)).toBe(true);
    expect(Array.isArray(seen.items[2])).toBe(true);
    expect(Array.isArray(seen.options)).toBe(false);
    expect(seen.items.length).toBe(3);
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(seen.items)).toBe(Array.prototype);
    expect([0].concat(seen.options.deep.list)).toEqual([0, 3, 1, 2]);
  });

  it.each([[1], ['text'], [true], [null], [undefined]])('IS-1 %s needs no view', (value) => {
    expect(privateView(value)).toBe(value);
  });

  it('IS-1 reading the same thing twice gives the same object', () => {
    const seen = view(sample());
    expect(seen.options).toBe(seen.options);
    expect(seen.items[0]).toBe(seen.items[0]);
    expect(seen.items.includes(seen.items[1])).toBe(true);
    expect(seen.items.indexOf(seen.items[2])).toBe(2);
  });

  it('IS-1 what was read before a write is the same object afterwards', () => {
    const seen = view(sample());
    const { options } = seen;
    seen.name = 'Write';
    expect(seen.options).toBe(options);
    options.added = 1;
    expect(seen.options.added).toBe(1);
  });

  it('IS-1 what is not plain data is seen as JSON would write it', () => {
    const seen = view({ at: new Date(0), map: new Map([[1, 2]]), inner: { at: new Date(0) } });
    expect(seen.at).toBe('1970-01-01T00:00:00.000Z');
    expect(seen.map).toEqual({});
    expect(seen.inner.at).toBe('1970-01-01T00:00:00.000Z');
  });

  it('IS-1 a source without a prototype is seen without one', () => {
    const source = Object.assign(Object.create(null), { a: { b: 1 } });
    const seen = view(source);
    expect(Object.getPrototypeOf(seen)).toBe(null);
    seen.a.b = 2;
    seen.c = 3;
    expect(source).toEqual({ a: { b: 1 } });
    expect(seen.c).toBe(3);
  });
});

describe('writing', () => {
  /** Does something to a view and to a clone: the view must end like the clone, and the source as it was. */
  function behavesLikeAClone(source: Anything, change: (data: Anything) => unknown): void {
    const before = clone(source);
    const expected = clone(source);
    const seen = view(source);
    const wanted = change(expected);
    const got = change(seen);
    expect(clone(seen)).toEqual(clone(expected));
    expect(clone(got ?? null)).toEqual(clone(wanted ?? null));
    expect(source).toEqual(before);
  }

  const CHANGES: Readonly<Record<string, (data: Anything) => unknown>> = {
    'setting a value': (data) => {
      data.name = 'Write';
    },
    'setting a nested value': (data) => {
      data.options.deep.flag = false;
    },
    'adding a key': (data) => {
      data.options.empty.added = { a: 1 };
    },
    'deleting a key': (data) => delete data.options.deep,
    'deleting a key that is not there': (data) => delete data.options.nowhere,
    push: (data) => data.items.push({ id: 3 }, 4),
    pop: (data) => data.items.pop(),
    shift: (data) => data.items.shift(),
    unshift: (data) => data.items.unshift(0),
    splice: (data) => data.items.splice(1, 1, 'a', 'b'),
    sort: (data) => data.options.deep.list.sort(),
    reverse: (data) => data.items.reverse(),
    fill: (data) => data.options.deep.list.fill(0),
    copyWithin: (data) => data.items.copyWithin(0, 1),
    'cutting a list': (data) => {
      data.items.length = 1;
    },
    'writing past the end': (data) => {
      data.items[5] = 'far';
    },
    'changing an item': (data) => {
      data.items[0].id = 99;
    },
    'changing an item after it has moved': (data) => {
      data.items.reverse();
      data.items[0][0] = 'moved';
    },
    'Object.assign': (data) => Object.assign(data.options, { deep: 1, more: [2] }),
    'Object.defineProperty': (data) => {
      Object.defineProperty(data.options, 'defined', {
        value: 1,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    },
    'moving a part to another place': (data) => {
      data.moved = data.options.deep;
      data.moved.flag = 'changed';
    },
    'putting a part in twice': (data) => {
      data.items.push(data.items[0]);
      data.items[0].id = 'shared';
    },
    'changing a spread copy': (data) => {
      const copy = { ...data };
      copy.name = 'only in the copy';
      copy.options.deep.flag = 'in both';
      return copy;
    },
    'changing what was put in': (data) => {
      const mine = { a: 1 };
      data.mine = mine;
      mine.a = 2;
      data.mine.b = 3;
    },
  };

  it.each(Object.entries(CHANGES))('IS-1 IS-2 %s stays in the view', (_, change) => {
    behavesLikeAClone(sample(), change);
  });

  it.each(Object.entries(CHANGES))('IS-1 IS-2 %s works when the source is frozen', (_, change) => {
    behavesLikeAClone(deepFreeze(sample()), change);
  });

  it('IS-1 a sealed source can be changed in a view', () => {
    behavesLikeAClone(Object.seal({ a: 1, list: Object.seal([1, { b: 2 }]) }), (data) => {
      data.list[1].b = 3;
      data.added = 1;
      delete data.a;
      data.list.push(4);
      return Object.keys(data);
    });
  });

  it('IS-1 a source that cannot be extended can be changed in a view', () => {
    behavesLikeAClone(Object.preventExtensions({ a: 1, inner: { b: 2 } }), (data) => {
      data.added = 1;
      delete data.a;
      data.inner.b = 3;
      return [Object.keys(data), 'a' in data];
    });
  });

  it('IS-1 a source with a constant in it can be read and changed in a view', () => {
    const source = Object.defineProperty({ a: 1 }, 'constant', { value: { b: 2 }, enumerable: true });
    behavesLikeAClone(source, (data) => {
      data.constant.b = 3;
      return data.constant;
    });
  });

  it('IS-1 a list whose length is fixed can be changed in a view', () => {
    behavesLikeAClone({ list: Object.defineProperty([1, 2], 'length', { writable: false }) }, (data) =>
      data.list.push(3),
    );
  });

  it('IS-1 a key that reaches a prototype neither changes the view nor is lost when something else is written', () => {
    const source = JSON.parse('{"__proto__":{"admin":true},"a":1}');
    const seen = view(source);
    seen.a = 2;
    expect(Object.keys(seen)).toEqual(['__proto__', 'a']);
    expect(seen.admin).toBeUndefined();
    expect(({} as Anything).admin).toBeUndefined();
  });

  it('IS-1 two views of one source know nothing of each other', () => {
    const source = sample();
    const one = view(source);
    const two = view(source);
    one.options.deep.list.push(4);
    two.options.deep.list.length = 0;
    one.name = 'one';
    expect(one.options.deep.list).toEqual([3, 1, 2, 4]);
    expect(two.options.deep.list).toEqual([]);
    expect(two.name).toBe('Bash');
    expect(source).toEqual(sample());
  });

  it('IS-1 no door leads to the source: descriptors, entries, iteration, methods', () => {
    const source = sample();
    const seen = view(source);
    const doors: Anything[] = [
      Object.getOwnPropertyDescriptor(seen, 'options')?.value,
      Object.getOwnPropertyDescriptors(seen)['options']?.value,
      Reflect.getOwnPropertyDescriptor(seen.items, 0)?.value,
      Object.entries(seen)[1]?.[1],
      Object.values(seen.items)[0],
      [...seen.items][0],
      seen.items.at(0),
      seen.items.slice()[0],
      seen.items.concat([])[1],
      seen.items.find(() => true),
      seen.items.flat()[0],
      seen.items.toReversed()[1],
      Object.fromEntries(Object.entries(seen))['options'],
      copyByHand(seen).options,
    ];
    for (const door of doors) door.changed = true;
    expect(source).toEqual(sample());
  });

  /** What a shallow copy by hand does. */
  function copyByHand(data: Anything): Anything {
    const copy: Anything = {};
    for (const key in data) copy[key] = data[key];
    return copy;
  }

  it('IS-1 a prototype cannot be put under the source, and the source cannot be frozen through a view', () => {
    const source = sample();
    const seen = view(source);
    expect(Reflect.setPrototypeOf(seen, { evil: true })).toBe(false);
    expect(Reflect.preventExtensions(seen.options)).toBe(false);
    Reflect.set(seen, '__proto__', { evil: true });
    expect(Object.getPrototypeOf(source)).toBe(Object.prototype);
    expect(Object.isExtensible(source.options)).toBe(true);
  });

  it('IS-2 a changed view that is returned is copied with its changes', () => {
    const seen = view(sample());
    seen.options.deep.list.push(4);
    seen.extra = { a: [1] };
    expect(plainCopy(seen)).toEqual({
      ok: true,
      value: {
        ...sample(),
        options: { deep: { list: [3, 1, 2, 4], flag: true }, empty: {} },
        extra: { a: [1] },
      },
    });
  });
});

describe('any sequence of changes', () => {
  const value: fc.Arbitrary<unknown> = fc.oneof(
    fc.integer(),
    fc.string(),
    fc.constant(null),
    fc.constant({ fresh: [1, { two: 2 }] }),
    fc.constant([3, [4]]),
  );
  const step = fc.record({
    /** Which way down: the n-th child that is an object, again and again. */
    path: fc.array(fc.nat(5), { maxLength: 4 }),
    action: fc.constantFrom(
      'set',
      'delete',
      'push',
      'pop',
      'shift',
      'splice',
      'reverse',
      'sort',
      'truncate',
      'assign',
    ),
    key: fc.constantFrom('a', 'b', 'c', '0', '1', '2'),
    value,
  });
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  function apply(root: Anything, { path, action, key, value }: Step): void {
    let data = root;
    for (const index of path) {
      const inner = Object.values(data).filter((item) => typeof item === 'object' && item !== null);
      if (inner.length > 0) data = inner[index % inner.length];
    }
    const fresh = typeof value === 'object' && value !== null ? clone(value) : value;
    if (action === 'set') data[key] = fresh;
    else if (action === 'delete') delete data[key];
    else if (action === 'assign') Object.assign(data, { a: fresh, '1': null });
    else if (Array.isArray(data)) {
      if (action === 'push') data.push(fresh);
      else if (action === 'splice') data.splice(Number(key) || 0, 1, fresh, 'x');
      else if (action === 'truncate') data.length = Math.min(data.length, 1);
      else if (action === 'sort')
        data.sort((x, y) => JSON.stringify(x ?? '').length - JSON.stringify(y ?? '').length);
      else data[action as 'pop']();
    }
  }

  const tree = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.jsonValue({ maxDepth: 4 }));
  const harmless = (root: unknown): boolean => !JSON.stringify(root).includes('"__proto__"');

  it('IS-1 IS-2 never changes the source, and does to the view what it does to a deep clone', () => {
    fc.assert(
      fc.property(
        tree.filter(harmless),
        fc.array(step, { maxLength: 12 }),
        fc.boolean(),
        (tree, steps, frozen) => {
          const source = frozen ? deepFreeze(clone(tree)) : clone(tree);
          const before = JSON.stringify(source);
          const expected = clone(tree);
          const seen = view(source);
          const untouched = view(source);
          for (const each of steps) {
            apply(expected, each);
            apply(seen, each);
            expect(JSON.stringify(seen)).toBe(JSON.stringify(expected));
          }
          expect(JSON.stringify(source)).toBe(before);
          expect(JSON.stringify(untouched)).toBe(before);
        },
      ),
      { numRuns: 400 },
    );
  });
});
