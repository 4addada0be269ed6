import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_INDEX } from '../../../src/base/async/indexed-set.js';
import { startTiming, stopTiming, type Timed } from '../../../src/runner/fast/turn-deadline.js';

/** Work that has so many milliseconds from now on. */
function work(ms: number | undefined): Timed & { readonly passed: number[] } {
  const began = performance.now();
  const passed: number[] = [];
  return {
    place: NO_INDEX,
    timer: undefined,
    passed,
    timeLeft: () => (ms === undefined ? undefined : ms - (performance.now() - began)),
    onDeadline: () => passed.push(performance.now() - began),
  };
}

/** Enough for everything that only waits for microtasks and ticks. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => process.nextTick(resolve));
};

describe('deadlines that are set when the microtasks have run', () => {
  beforeEach(() => void vi.useFakeTimers());
  // In this order: otherwise the fake function would take the place of the real one.
  afterEach(() => void vi.unstubAllGlobals().useRealTimers());

  it('DL-1 work that ends in the meantime never had a timer', async () => {
    const set = vi.fn(setTimeout);
    vi.stubGlobal('setTimeout', set);
    const quick = work(1000);
    startTiming(quick);
    await Promise.resolve();
    stopTiming(quick);
    await settle();
    expect(set).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('DL-1 long chains of microtasks are still the same turn', async () => {
    const quick = work(1000);
    startTiming(quick);
    for (let i = 0; i < 100; i++) await null;
    expect(vi.getTimerCount()).toBe(0);
    stopTiming(quick);
  });

  it('DL-1 work that is still there is reported at its deadline, to the millisecond', async () => {
    const [slow, slower] = [work(250), work(400)];
    startTiming(slow);
    startTiming(slower);
    await settle();
    await vi.advanceTimersByTimeAsync(249);
    expect([slow.passed, slower.passed]).toEqual([[], []]);
    await vi.advanceTimersByTimeAsync(1);
    expect(slow.passed).toEqual([250]);
    await vi.advanceTimersByTimeAsync(150);
    expect(slower.passed).toEqual([400]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('DL-1 the time before the timer was set counts', async () => {
    const slow = work(100);
    vi.advanceTimersByTime(60);
    startTiming(slow);
    await settle();
    await vi.advanceTimersByTimeAsync(40);
    expect(slow.passed).toEqual([100]);
  });

  it('DL-1 a deadline that has already passed is notified as soon as possible', async () => {
    const late = work(10);
    vi.advanceTimersByTime(50);
    startTiming(late);
    await settle();
    await vi.advanceTimersByTimeAsync(1);
    expect(late.passed).toHaveLength(1);
  });

  it('DL-1 what is stopped after its timer was set is not notified, and leaves no timer', async () => {
    const slow = work(100);
    startTiming(slow);
    await settle();
    expect(vi.getTimerCount()).toBe(1);
    stopTiming(slow);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(200);
    expect(slow.passed).toEqual([]);
    stopTiming(slow);
  });

  it('DL-1 where there is nothing to time no timer is set', async () => {
    startTiming(work(undefined));
    await settle();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('DL-1 the same work may be timed again', async () => {
    const twice = work(50);
    startTiming(twice);
    await settle();
    stopTiming(twice);
    startTiming(twice);
    await settle();
    await vi.advanceTimersByTimeAsync(50);
    expect(twice.passed).toEqual([50]);
  });
});
