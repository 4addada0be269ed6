/**
 * When a call is tried again, and after which delay. Used instead of the SDK's own retries, which cannot be aborted or
 * watched, and end where the stream begins.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_TIMER_MS } from '../../base/async/timeout.js';
import type { ModelError } from './port.js';
import { causesOf, unreachable } from './unreachable.js';

export interface RetryOptions {
  readonly maxRetries: number;
  /** Milliseconds from the first try, within which the last one must start. */
  readonly retryForMs: number;
}

/** A host that cannot be reached is usually the wrong one: a short wait is enough for a network that comes back. */
const UNREACHABLE: RetryOptions = { maxRetries: 4, retryForMs: 10_000 };
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/** Waiting helps against these. */
const TEMPORARY: ReadonlySet<ModelError['code']> = new Set(['rate_limited', 'overloaded', 'unavailable']);

/** How often and how long a call that failed this way may be tried. */
export function limitsFor(error: ModelError, retries: RetryOptions): RetryOptions {
  if (unreachable(error.cause) === undefined) return retries;
  return {
    maxRetries: Math.min(retries.maxRetries, UNREACHABLE.maxRetries),
    retryForMs: Math.min(retries.retryForMs, UNREACHABLE.retryForMs),
  };
}

/** `failed`: how often it has failed so far. Returns undefined if it should not be tried again. */
export function delayBefore(
  error: ModelError,
  failed: number,
  elapsedMs: number,
  retries: RetryOptions,
): number | undefined {
  const { maxRetries, retryForMs } = limitsFor(error, retries);
  if (failed > maxRetries || !canRetry(error)) return undefined;
  const delay = delayAfter(error.cause, failed - 1);
  return elapsedMs + delay > retryForMs ? undefined : delay;
}

function canRetry({ code, cause }: ModelError): boolean {
  const asked = headersOf(cause)?.get('x-should-retry');
  if (asked === 'true' || asked === 'false') return asked === 'true';
  const { code: name } = Object(cause) as { readonly code?: unknown };
  // Waiting does not fill an account.
  if (name === 'insufficient_quota') return false;
  return TEMPORARY.has(code) || (code === 'broken_stream' && isReset(cause));
}

const RESETS: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether the connection was lost, in contrast to an answer that violates its format. */
function isReset(error: unknown): boolean {
  return causesOf(error).some(({ code, message }) => RESETS.has(code) || message === 'terminated');
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

/** Rejects with the signal's reason when it is aborted. */
export async function waitBeforeRetry(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

function headersOf(error: unknown): Headers | undefined {
  const { headers } = Object(error) as { readonly headers?: unknown };
  return headers instanceof Headers ? headers : undefined;
}
