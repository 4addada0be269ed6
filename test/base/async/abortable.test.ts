import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { abortable, onAbort } from '../../../src/base/async/abortable.js';

const never = new Promise<never>(() => {});
const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('abortable', () => {
  it('settles as the promise does and leaves no listener', async () => {
    const { signal } = new AbortController();
    await expect(abortable(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
    await expect(abortable(2, undefined)).resolves.toBe(2);
    await turn();
    expect(listenersOf(signal)).toBe(0);
  });

  it('rejects with the reason of the signal, before and during the wait', async () => {
    const reason = new Error('enough');
    await expect(abortable(never, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const waiting = abortable(never, controller.signal);
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(listenersOf(controller.signal)).toBe(0);
  });

  it('takes what the fallback gives, waits for it, and rejects with what it throws', async () => {
    const signal = AbortSignal.abort();
    await expect(abortable(never, signal, () => 'instead')).resolves.toBe('instead');
    await expect(abortable(never, signal, async () => 'later')).resolves.toBe('later');
    const wrong = (): never => {
      throw new Error('wrong');
    };
    await expect(abortable(never, signal, wrong)).rejects.toThrow('wrong');
  });

  it('handles a promise that rejects after the abort', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    try {
      const controller = new AbortController();
      let fail = (_: Error): void => {};
      const late = new Promise<never>((_, reject) => {
        fail = reject;
      });
      const waiting = abortable(late, controller.signal, () => undefined);
      controller.abort();
      await expect(waiting).resolves.toBeUndefined();
      fail(new Error('late'));
      await turn();
      await turn();
      expect(unhandled).not.toHaveBeenCalled();
    } finally {
      process.off('unhandledRejection', unhandled);
    }
  });
});

describe('onAbort', () => {
  it('calls at once, once, or not at all after it was stopped', () => {
    const listener = vi.fn();
    onAbort(AbortSignal.abort(), listener)();
    onAbort(undefined, listener)();
    expect(listener).toHaveBeenCalledTimes(1);
    const controller = new AbortController();
    onAbort(controller.signal, listener);
    onAbort(controller.signal, () => listener('stopped'))();
    controller.abort();
    expect(listener.mock.calls).toEqual([[], [expect.anything()]]);
  });
});
