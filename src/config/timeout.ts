/** Timeouts as users write them, in seconds, and as timers take them. */
import { HookError, show } from '../errors.js';

/** Timers hold 31 bits of milliseconds; anything longer fires after one. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const DEFAULT_TIMEOUT_SECONDS = 60;

/** Seconds to whole milliseconds, rounded up so that no positive timeout becomes none. */
export function timeoutMs(seconds: unknown, where: string): number {
  const ms = typeof seconds === 'number' ? Math.ceil(Number((seconds * 1000).toFixed(6))) : Number.NaN;
  if (ms >= 1 && ms <= LONGEST_TIMER_MS) return ms;
  throw new HookError(
    'invalid_timeout',
    `The timeout of a ${where} is ${show(seconds)}; give seconds as a number above 0 and up to ${Math.floor(LONGEST_TIMER_MS / 1000)}.`,
  );
}
