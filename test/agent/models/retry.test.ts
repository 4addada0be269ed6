import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/models/port.js';
import { delayAfter, delayBefore, limitsFor, waitBeforeRetry } from '../../../src/agent/models/retry.js';

const failure = (status: number, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`status ${status}`), { status, headers: new Headers(headers) });
const error = (code: ModelError['code'], cause: unknown = failure(500)) =>
  new ModelError(code, 'm', { cause });
const options = { maxRetries: 3, retryForMs: 10_000 };

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
  ])(
    'MO-13: asked for %s, each wait is twice the last, up to 30 s, a little less at random',
    (_, headers) => {
      for (const [failed, longest] of [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
        const ms = delayAfter(failure(500, headers), failed);
        expect(ms).toBeLessThanOrEqual(longest);
        expect(ms).toBeGreaterThanOrEqual(longest * 0.75);
      }
    },
  );

  it('MO-13: only what waiting helps, as often and as long as allowed', () => {
    expect(delayBefore(error('overloaded'), 1, 0, options)).toBeGreaterThan(0);
    expect(delayBefore(error('overloaded'), 3, 0, options)).toBeGreaterThan(0);
    expect(delayBefore(error('overloaded'), 4, 0, options)).toBeUndefined();
    expect(delayBefore(error('overloaded'), 1, 9_900, options)).toBeUndefined();
    expect(
      delayBefore(error('rate_limited', failure(429, { 'retry-after': '60' })), 1, 0, options),
    ).toBeUndefined();
    for (const code of ['bad_request', 'context_overflow', 'unauthorized', 'broken_stream'] as const)
      expect(delayBefore(error(code), 1, 0, options)).toBeUndefined();
    const empty = Object.assign(failure(429), { code: 'insufficient_quota' });
    expect(delayBefore(error('rate_limited', empty), 1, 0, options)).toBeUndefined();
  });

  it('MO-13: a connection that was lost before the answer is not a broken answer', () => {
    const lost = new TypeError('terminated', {
      cause: Object.assign(new Error('x'), { code: 'UND_ERR_SOCKET' }),
    });
    expect(delayBefore(error('broken_stream', lost), 1, 0, options)).toBeGreaterThan(0);
  });

  it('MO-13: a host that cannot be reached is given up after seconds; one that is overloaded is not', () => {
    const refused = new Error('Connection error.', {
      cause: new TypeError('fetch failed', {
        cause: Object.assign(
          new AggregateError([
            Object.assign(new Error('x'), { code: 'ECONNREFUSED', address: '::1', port: 9 }),
          ]),
          { code: 'ECONNREFUSED' },
        ),
      }),
    });
    const long = { maxRetries: 10, retryForMs: 300_000 };
    const delays = (each: ModelError): number[] => {
      const found: number[] = [];
      for (let ms = 0; ; ms += found.at(-1) ?? 0) {
        const delay = delayBefore(each, found.length + 1, ms, long);
        if (delay === undefined) return found;
        found.push(delay);
      }
    };
    expect(delays(error('unavailable', refused))).toHaveLength(4);
    expect(limitsFor(error('unavailable', refused), long).maxRetries).toBe(4);
    expect(delays(error('overloaded'))).toHaveLength(10);
    expect(limitsFor(error('unavailable', refused), { ...long, maxRetries: 1 }).maxRetries).toBe(1);
  });

  it('MO-18: the wait itself ends with the signal, with its reason', async () => {
    const controller = new AbortController();
    const waiting = waitBeforeRetry(60_000, controller.signal);
    setImmediate(() => controller.abort(new Error('enough')));
    await expect(waiting).rejects.toThrow('enough');
  });
});
