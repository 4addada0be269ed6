/** Timeouts as users write them, in seconds, and as timers take them. */
import { MAX_TIMER_MS } from '../base/async/timeout.js';
import { HookError, show } from '../base/errors.js';

export const DEFAULT_TIMEOUT_SECONDS = 60;

/** Seconds to whole milliseconds, rounded up so that no positive timeout becomes none. */
export function timeoutMs(seconds: unknown, where: string): number {
  const ms = typeof seconds === 'number' ? Math.ceil(Number((seconds * 1000).toFixed(6))) : Number.NaN;
  if (ms >= 1 && ms <= MAX_TIMER_MS) return ms;
  throw new HookError(
    'invalid_timeout',
    `The timeout of a ${where} is ${show(seconds)}; give seconds as a number above 0 and up to ${Math.floor(MAX_TIMER_MS / 1000)}.`,
  );
}

/** Longer than any hook is waited for on purpose. */
const MAX_MEANT_SECONDS = 24 * 60 * 60;

/** Says so when seconds look as if milliseconds were meant: whole thousands, or more than a day. Takes anything. */
export function lintTimeout(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number' || seconds < 1000) return undefined;
  if (seconds % 1000 !== 0 && seconds <= MAX_MEANT_SECONDS) return undefined;
  return `The timeout is ${seconds} seconds, which is ${inWords(seconds)}. Timeouts are seconds: if ${seconds} milliseconds are meant, write ${seconds / 1000}.`;
}

function inWords(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.round((seconds % 3600) / 60)];
  return hours === 0 ? `${minutes} minutes` : `${hours} h ${minutes} min`;
}
