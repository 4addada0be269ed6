/** Checks durations before they reach a timer, because a timer silently turns an invalid one into 1 ms. */

export const MAX_TIMER_MS = 2_147_483_647;

/** Whole milliseconds for a timer, rounded up, at least 1. Throws a RangeError for durations a timer cannot hold. */
export function toTimerMs(seconds: unknown): number {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) {
    throw new RangeError(
      `A timeout is a number of seconds above 0, such as 60 or 0.5; got ${show(seconds)}. Leave it out for the default.`,
    );
  }
  // Without toFixed, 16.1 s would become 16,101 ms: 16.1 * 1000 is slightly above 16,100.
  const ms = Math.max(1, Math.ceil(Number((seconds * 1000).toFixed(6))));
  if (ms > MAX_TIMER_MS) {
    throw new RangeError(
      `A timeout is at most ${MAX_TIMER_MS / 1000} seconds (about 24 days); got ${seconds}. The unit is seconds; did you mean milliseconds?`,
    );
  }
  return ms;
}

/** Throws a RangeError unless a timer can hold `ms` unchanged. */
export function assertTimerMs(ms: number): void {
  if (!Number.isInteger(ms) || ms < 1 || ms > MAX_TIMER_MS) {
    throw new RangeError(
      `A process timeout is a whole number of milliseconds from 1 to ${MAX_TIMER_MS}; got ${show(ms)}.`,
    );
  }
}

function show(value: unknown): string {
  return typeof value === 'string' ? `the string '${value.slice(0, 40)}'` : String(value);
}
