import { describe, expect, it } from 'vitest';
import { delayAfter, withRetries } from '../../../src/agent/models/retry.js';

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

describe('trying again', () => {
  it.each([
    ['milliseconds', { 'retry-after-ms': '30' }, 30],
    ['seconds', { 'retry-after': '2' }, 2000],
    ['milliseconds before seconds', { 'retry-after-ms': '30', 'retry-after': '2' }, 30],
    ['seconds when milliseconds are no number', { 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
  ])('MO-13: waits as long as the service asks: %s', (_, headers, ms) => {
    expect(delayAfter(failure(429, headers), 0)).toBe(ms);
  });

  it('MO-13: waits until the date that the service names', () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const ms = delayAfter(failure(429, { 'retry-after': date }), 0);
    expect(ms).toBeGreaterThan(3_500_000);
    expect(ms).toBeLessThanOrEqual(3_600_000);
  });

  it.each([
    ['a date in the past', { 'retry-after': 'Mon, 01 Jan 2024 00:00:00 GMT' }],
    ['a time that no timer can hold', { 'retry-after': '99999999' }],
    ['nothing', {}],
  ])('MO-13: asked for %s, each wait is twice the last, up to 8 s, a little less at random', (_, headers) => {
    for (const [failed, longest] of [500, 1000, 2000, 4000, 8000, 8000].entries()) {
      const ms = delayAfter(failure(500, headers), failed);
      expect(ms).toBeLessThanOrEqual(longest);
      expect(ms).toBeGreaterThanOrEqual(longest * 0.75);
    }
  });

  it('MO-13: what waiting does not help is not tried again', async () => {
    await expect(withRetries(attempts(failure(400, {})), options())).rejects.toThrow('status 400');
    await expect(withRetries(attempts(new RangeError('ours')), options())).rejects.toThrow('ours');
    const twice = attempts(failure(429, { 'retry-after-ms': '1' }), failure(503, {}));
    await expect(withRetries(twice, options())).rejects.toThrow('status 503');
  });

  it('MO-18: the wait itself ends with the signal', async () => {
    const controller = new AbortController();
    const waiting = withRetries(attempts(failure(429, { 'retry-after': '60' })), options(controller.signal));
    setImmediate(() => controller.abort());
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
