/**
 * Retries a call after a delay. Used instead of the SDK's own retries, which cannot be aborted and keep the process
 * alive.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_TIMER_MS } from '../../base/async/timeout.js';

export interface RetryOptions {
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  /** Whether the service could not be reached. */
  isConnectionError(error: unknown): boolean;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;

/** Contract: rejects with the last error, or at once with an abort error if aborted while waiting. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let failed = 0; ; failed++) {
    try {
      return await attempt();
    } catch (error) {
      if (failed >= options.maxRetries || options.signal.aborted || !canRetry(error, options)) throw error;
      await sleep(delayAfter(error, failed), undefined, { signal: options.signal });
    }
  }
}

function canRetry(error: unknown, { isConnectionError }: RetryOptions): boolean {
  const { status } = Object(error) as { readonly status?: unknown };
  if (typeof status !== 'number') return isConnectionError(error);
  const requested = headersOf(error)?.get('x-should-retry');
  if (requested === 'true' || requested === 'false') return requested === 'true';
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** The delay the service asks for; otherwise exponential backoff with jitter. */
export function delayAfter(error: unknown, failed: number): number {
  const headers = headersOf(error);
  const after = headers?.get('retry-after');
  const asked = [
    Number(headers?.get('retry-after-ms') ?? Number.NaN),
    Number(after ?? Number.NaN) * 1000,
    Date.parse(after ?? '') - Date.now(),
  ].find((ms) => ms > 0 && ms <= MAX_TIMER_MS);
  const own = Math.min(FIRST_DELAY_MS * 2 ** failed, MAX_DELAY_MS) * (1 - Math.random() / 4);
  return asked ?? own;
}

function headersOf(error: unknown): Headers | undefined {
  const { headers } = Object(error) as { readonly headers?: unknown };
  return headers instanceof Headers ? headers : undefined;
}
