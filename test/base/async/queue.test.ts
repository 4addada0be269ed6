import { describe, expect, it, vi } from 'vitest';
import { Queue } from '../../../src/base/async/queue.js';
import { processorMs } from '../../support/processor-time.js';

async function readAll<T>(queue: Queue<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of queue) values.push(value);
  return values;
}

describe('Queue', () => {
  it('hands over in order, also to those who wait already, and what was pushed before the end', async () => {
    const queue = new Queue<number | undefined>();
    const [first, second] = [queue.next(), queue.next()];
    for (const value of [1, undefined, 3, 4]) queue.push(value);
    expect([(await first).value, (await second).value]).toEqual([1, undefined]);
    queue.close();
    queue.push(5);
    expect(await readAll(queue)).toEqual([3, 4]);
  });

  it('ends those who wait when it is closed, and says so once', async () => {
    const onEnd = vi.fn();
    const queue = new Queue<number>({ onEnd });
    const waiting = queue.next();
    queue.close();
    queue.close();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it('drops everything when its reader has enough', async () => {
    const queue = new Queue<number>();
    for (const value of [1, 2, 3]) queue.push(value);
    for await (const value of queue) if (value === 1) break;
    queue.push(4);
    expect(await queue.next()).toEqual({ value: undefined, done: true });
  });

  it('keeps the latest, or what it is told to keep, within its capacity', async () => {
    const latest = new Queue<number>({ capacity: 2 });
    const even = new Queue<number>({ capacity: 3, makeRoom: (all) => all.filter((each) => each % 2 === 0) });
    for (const value of [1, 2, 3, 4, 5]) for (const queue of [latest, even]) queue.push(value);
    latest.close();
    even.close();
    expect(await readAll(latest)).toEqual([4, 5]);
    expect(await readAll(even)).toEqual([2, 4, 5]);
  });

  it('does not cost much more per value when very many wait', async () => {
    const fill = (count: number): Queue<number> => {
      const queue = new Queue<number>();
      for (let value = 0; value < count; value++) queue.push(value);
      queue.close();
      return queue;
    };
    await readAll(fill(20_000));
    const took = async (count: number): Promise<number> => {
      const queue = fill(count);
      const began = processorMs();
      expect((await readAll(queue)).length).toBe(count);
      return processorMs() - began;
    };
    expect(await took(300_000)).toBeLessThan(Math.max(1000, 60 * (await took(30_000))));
  });
});
