import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../src/injection/mailboxes/memory/heap.js';
import { Ledger } from '../../src/injection/mailboxes/memory/ledger.js';
import { item } from './support.js';

/** How often items are looked at, per call of each kind, while so many wait. */
function looksPerCall(waiting: number): number {
  let looks = 0;
  const ledger = new Ledger(100);
  const add = (i: number): void => {
    const watched = {
      ...item({ id: `i${i}`, to: { all: true } }),
      get priority() {
        looks += 1;
        return i % 7;
      },
      get expiresAt() {
        looks += 1;
        return 1_000_000 + ((i * 7919) % 1000);
      },
    };
    ledger.add(watched);
  };
  for (const agentId of ['a', 'b']) ledger.join(agentId);
  for (let i = 0; i < waiting; i++) add(i);
  looks = 0;
  const rounds = 500;
  for (let i = 0; i < rounds; i++) {
    const [sent, kept] = ledger.take('a', ['Bash'], 2);
    if (sent === undefined || kept === undefined) throw new Error('two items were to be had');
    ledger.acknowledge(sent);
    ledger.giveBack(kept, 'released');
    ledger.sweep();
    add(waiting + i);
  }
  return looks / rounds;
}

describe('cost', () => {
  it('IJ-21: taking, acknowledging, giving back and putting cost about the same with 100 and with 10,000 waiting', () => {
    const few = looksPerCall(100);
    const many = looksPerCall(10_000);
    // A look at each of them would be at least 10,000.
    expect(many).toBeLessThan(400);
    expect(many / few).toBeLessThan(4);
  });

  it('IJ-21: what has ended without being met does not pile up', () => {
    let alive = 0;
    const heap = new Heap<{ dead: boolean }>(
      () => false,
      ({ dead }) => !dead,
    );
    for (let i = 0; i < 10_000; i++) {
      const member = { dead: false };
      heap.push(member);
      if (i % 100 === 0) alive += 1;
      else {
        member.dead = true;
        heap.noteObsolete();
      }
    }
    expect(heap.size).toBeLessThan(3 * alive + 64);
    expect(heap.list()).toHaveLength(alive);
  });

  it('IJ-10: a heap hands its members over in order, whoever dies meanwhile', () => {
    const action = fc.oneof(fc.integer(), fc.constantFrom('pop' as const, 'kill' as const));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const heap = new Heap<{ value: number; order: number; dead: boolean }>(
          (a, b) => a.value - b.value < 0 || (a.value === b.value && a.order < b.order),
          ({ dead }) => !dead,
        );
        const model: { value: number; order: number; dead: boolean }[] = [];
        const sort = () => model.sort((a, b) => a.value - b.value || a.order - b.order);
        for (const [order, next] of actions.entries()) {
          if (next === 'pop') expect(heap.pop()).toBe(sort().shift());
          else if (next === 'kill') {
            const [victim] = model.splice(Math.floor(model.length / 2), 1);
            if (victim === undefined) continue;
            victim.dead = true;
            heap.noteObsolete();
          } else {
            const member = { value: next, order, dead: false };
            model.push(member);
            heap.push(member);
          }
        }
        expect(heap.list()).toEqual(sort());
      }),
    );
  });
});
