/** The form that is hashed: one way to write a value, and no two values alike. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/config/trust/canonical.js';

/** The same data with every object's keys in reverse. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, reversed(field)]),
  );
}

describe('the canonical form', () => {
  it('TR-2 does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonical(reversed(value))).toBe(canonical(value));
      }),
    );
  });

  it('TR-2 does not depend on how a file is laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(8), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(canonical(JSON.parse(text))).toBe(canonical(JSON.parse(JSON.stringify(value))));
      }),
    );
  });

  it('TR-1 tells any two different values apart', () => {
    const plain = (value: unknown): string => JSON.stringify(reversed(reversed(value)));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
        if (canonical(a) !== canonical(b)) return;
        expect(JSON.parse(plain(a))).toEqual(JSON.parse(plain(b)));
      }),
      { numRuns: 500 },
    );
  });

  it('TR-1 tells values apart that look alike', () => {
    const values = [
      ...['1', 1, '1n', 1n, true, 'true', null, 'null', '', [], {}, [''], [null], [[]], { a: null }],
      ...[0, -0, Number.NaN, 'NaN', Number.POSITIVE_INFINITY, new Date(0), 'Date(0)'],
      ...['a","b', ['a', 'b'], ['a","b'], { a: 'b' }, { 'a":"b': 1 }, 'é', 'e\u0301'],
    ];
    expect(new Set(values.map((value) => canonical(value))).size).toBe(values.length);
  });

  it('TR-2 a field that is undefined is absent', () => {
    expect(canonical({ a: 1, b: undefined })).toBe(canonical({ a: 1 }));
    expect(canonical({ a: 1, b: null })).not.toBe(canonical({ a: 1 }));
  });

  it.each([
    ['a function', () => {}],
    ['a symbol', Symbol('x')],
    ['a map', new Map()],
    ['an instance', new (class Hook {})()],
  ])('TR-2 refuses %s', (_, value) => {
    expect(() => canonical({ value })).toThrow(/plain data/);
  });

  it('TR-2 refuses endless and very deep data instead of exhausting the stack', () => {
    const endless: { self?: unknown } = {};
    endless.self = endless;
    expect(() => canonical(endless)).toThrow(/levels deep/);
    let deep: unknown = 1;
    for (let i = 0; i < 50_000; i++) deep = [deep];
    expect(() => canonical(deep)).toThrow(/levels deep/);
  });

  it('TR-1 a key that reaches prototypes is a key like any other', () => {
    const own = JSON.parse('{"__proto__": {"command": "evil"}}');
    expect(canonical(own)).not.toBe(canonical({}));
  });
});
