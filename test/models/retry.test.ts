import { describe, expect, it } from 'vitest';
import { withRetries } from '../../src/models/retry.js';

const failure = (status: number, headers: Record<string, string>) =>
  Object.assign(new Error(`status ${status}`), { status, headers: new Headers(headers) });

function attempts(...errors: readonly Error[]) {
  const left = [...errors];
  return async (): Promise<string> => {
    const error = left.shift();
    if (error !== undefined) throw error;
    return 'done';
  };
}

const options = (signal = new AbortController().signal) => ({
  maxRetries: 1,
  signal,
  isConnectionError: (error: unknown) => error instanceof TypeError,
});

describe('withRetries', () => {
  it.each([
    ['milliseconds', { 'retry-after-ms': '1' }],
    ['seconds', { 'retry-after': '0.001' }],
    ['milliseconds before seconds', { 'retry-after-ms': '1', 'retry-after': '3600' }],
    ['seconds when milliseconds are no number', { 'retry-after-ms': 'soon', 'retry-after': '0.001' }],
  ])('MO-13: waits as long as the service asks: %s', async (_, headers) => {
    const started = performance.now();
    expect(await withRetries(attempts(failure(429, headers)), options())).toBe('done');
    expect(performance.now() - started).toBeLessThan(300);
  });

  it.each([
    ['a date in the past', { 'retry-after': 'Mon, 01 Jan 2024 00:00:00 GMT' }],
    ['a time that no timer can hold', { 'retry-after': '99999999' }],
    ['nothing', {}],
  ])('MO-13: asked for %s, the wait is half a second, a little less at random', async (_, headers) => {
    const started = performance.now();
    expect(await withRetries(attempts(failure(500, headers)), options())).toBe('done');
    expect(performance.now() - started).toBeGreaterThan(370);
  });

  it('MO-13: what waiting does not help is not tried again', async () => {
    await expect(withRetries(attempts(failure(400, {})), options())).rejects.toThrow('status 400');
    await expect(withRetries(attempts(new RangeError('ours')), options())).rejects.toThrow('ours');
    const twice = attempts(failure(429, { 'retry-after-ms': '1' }), failure(503, {}));
    await expect(withRetries(twice, options())).rejects.toThrow('status 503');
  });

  it('MO-18: the wait itself ends with the signal, and leaves no timer', async () => {
    const controller = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
    const before = timers();
    const waiting = withRetries(attempts(failure(429, { 'retry-after': '60' })), options(controller.signal));
    setImmediate(() => controller.abort());
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
