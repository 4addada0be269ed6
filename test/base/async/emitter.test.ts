import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { SafeEmitter } from '../../../src/base/async/emitter.js';

type Events = { one: (value: number) => unknown; two: (text: string) => unknown };

describe('SafeEmitter', () => {
  it('calls every listener of a kind, and reports what one throws or rejects with, and for what', async () => {
    const errors: unknown[][] = [];
    const emitter = new SafeEmitter<Events>((error, value) => errors.push([error.message, value]));
    const heard = vi.fn();
    emitter.on('one', () => {
      throw new Error('thrown');
    });
    emitter.on('one', async () => {
      throw new Error('rejected');
    });
    emitter.on('one', heard);
    emitter.on('two', heard);
    emitter.emit('one', 1);
    await turn();
    expect(heard.mock.calls).toEqual([[1]]);
    expect(errors).toEqual([
      ['thrown', 1],
      ['rejected', 1],
    ]);
  });

  it('survives a reporter that throws', () => {
    const emitter = new SafeEmitter<Events>(() => {
      throw new Error('the reporter');
    });
    emitter.on('two', () => {
      throw new Error('the listener');
    });
    expect(() => emitter.emit('two', 'text')).not.toThrow();
  });

  it('counts listeners; the same function may listen twice, and each ends by itself and once', () => {
    const emitter = new SafeEmitter<Events>(() => {});
    const heard = vi.fn();
    const [first, second] = [emitter.on('one', heard), emitter.on('one', heard)];
    expect(emitter.size).toBe(2);
    expect([first(), first()]).toEqual([true, false]);
    emitter.emit('one', 1);
    expect(heard).toHaveBeenCalledTimes(1);
    second();
    expect(emitter.size).toBe(0);
  });

  it('calls those who listened when it began', () => {
    const emitter = new SafeEmitter<Events>(() => {});
    const late = vi.fn();
    const heard = vi.fn();
    emitter.on('one', () => {
      stop();
      emitter.on('one', late);
    });
    const stop = emitter.on('one', heard);
    emitter.emit('one', 1);
    expect([heard.mock.calls.length, late.mock.calls.length]).toEqual([1, 0]);
  });
});
