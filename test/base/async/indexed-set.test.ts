import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Indexed, IndexedSet, NO_INDEX } from '../../../src/base/async/indexed-set.js';

const members = (count: number): Indexed[] => Array.from({ length: count }, () => ({ place: NO_INDEX }));

describe('a set whose members know their place', () => {
  it('holds what a Set would hold, whatever joins and leaves in whatever order', () => {
    const step = fc.record({ joins: fc.boolean(), who: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const all = members(10);
        const placed = new IndexedSet<Indexed>();
        const plain = new Set<Indexed>();
        for (const { joins, who } of steps) {
          const member = all[who] as Indexed;
          if (joins && !plain.has(member)) {
            placed.add(member);
            plain.add(member);
          } else if (!joins) expect(placed.delete(member)).toBe(plain.delete(member));
          expect(placed.size).toBe(plain.size);
          expect(new Set(placed.list())).toEqual(plain);
        }
      }),
    );
  });

  it('one that is not in it, or in another one, is left alone', () => {
    const [here, there] = members(2) as [Indexed, Indexed];
    const one = new IndexedSet<Indexed>();
    const other = new IndexedSet<Indexed>();
    one.add(here);
    other.add(there);
    expect(one.delete(there)).toBe(false);
    expect([one.size, other.size, there.place]).toEqual([1, 1, 0]);
  });

  it('when all are taken, they may join again', () => {
    const all = members(3);
    const set = new IndexedSet<Indexed>();
    for (const member of all) set.add(member);
    expect(set.takeAll()).toEqual(all);
    expect(set.size).toBe(0);
    expect(all.every(({ place }) => place === NO_INDEX)).toBe(true);
    for (const member of all) set.add(member);
    expect(set.size).toBe(3);
  });
});
