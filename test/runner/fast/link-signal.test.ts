import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Cancellation } from '../../../src/handlers/cancellation.js';
import { linkSignal, unlinkSignal } from '../../../src/runner/fast/link-signal.js';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('fires that share a signal', () => {
  it('AB-2 a thousand of them have one listener, and none soon after all have left', async () => {
    const { signal } = new AbortController();
    const fires = Array.from({ length: 1_000 }, () => new Cancellation());
    for (const fire of fires) linkSignal(signal, fire);
    expect(listeners(signal)).toBe(1);
    for (const fire of fires.slice(1)) unlinkSignal(signal, fire);
    expect(listeners(signal)).toBe(1);
    unlinkSignal(signal, fires[0] as Cancellation);
    await turn();
    expect(listeners(signal)).toBe(0);
  });

  it('AB-2 AB-1 an abort ends all that are tied, and only those', () => {
    const controller = new AbortController();
    const [one, two, gone, other] = [1, 2, 3, 4].map(() => new Cancellation()) as [
      Cancellation,
      Cancellation,
      Cancellation,
      Cancellation,
    ];
    for (const fire of [one, two, gone]) linkSignal(controller.signal, fire);
    linkSignal(new AbortController().signal, other);
    unlinkSignal(controller.signal, gone);
    controller.abort();
    expect([one, two, gone, other].map((fire) => fire.cancelled)).toEqual([true, true, false, false]);
    expect(listeners(controller.signal)).toBe(0);
  });

  it('AB-2 leaving twice, after the abort, or without ever having come is harmless', () => {
    const controller = new AbortController();
    const [fire, stranger] = [new Cancellation(), new Cancellation()];
    linkSignal(controller.signal, fire);
    unlinkSignal(controller.signal, stranger);
    expect(listeners(controller.signal)).toBe(1);
    controller.abort();
    unlinkSignal(controller.signal, fire);
    unlinkSignal(controller.signal, fire);
    unlinkSignal(new AbortController().signal, fire);
    expect(listeners(controller.signal)).toBe(0);
  });

  it('AB-2 after all have left, others may come, and are ended by an abort', () => {
    const controller = new AbortController();
    const [first, second] = [new Cancellation(), new Cancellation()];
    linkSignal(controller.signal, first);
    unlinkSignal(controller.signal, first);
    linkSignal(controller.signal, second);
    controller.abort();
    expect(first.cancelled).toBe(false);
    expect(second.cancelled).toBe(true);
  });

  it('AB-2 a fire that leaves during the abort, as ended fires do, disturbs no other', () => {
    const controller = new AbortController();
    const fires = Array.from({ length: 10 }, () => new Cancellation());
    for (const fire of fires) {
      linkSignal(controller.signal, fire);
      fire.add(() => {
        for (const each of fires) unlinkSignal(controller.signal, each);
      });
    }
    controller.abort();
    expect(fires.every((fire) => fire.cancelled)).toBe(true);
    expect(listeners(controller.signal)).toBe(0);
  });

  it("AB-2 other people's listeners on the signal stay", async () => {
    const { signal } = new AbortController();
    const fire = new Cancellation();
    signal.addEventListener('abort', () => {});
    linkSignal(signal, fire);
    expect(listeners(signal)).toBe(2);
    unlinkSignal(signal, fire);
    await turn();
    expect(listeners(signal)).toBe(1);
  });

  it('AB-2 one that comes right after the last has left finds the listener there, and keeps it', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const heard = vi.spyOn(signal, 'addEventListener');
    for (let i = 0; i < 100; i++) {
      const fire = new Cancellation();
      linkSignal(signal, fire);
      await Promise.resolve();
      unlinkSignal(signal, fire);
    }
    const last = new Cancellation();
    linkSignal(signal, last);
    await turn();
    expect(heard).toHaveBeenCalledTimes(1);
    expect(listeners(signal)).toBe(1);
    controller.abort();
    expect(last.cancelled).toBe(true);
  });
});
