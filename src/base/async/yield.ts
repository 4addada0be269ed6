/** Keeps code that never waits from starving timers, signals and I/O. */
import { setImmediate as nextRound } from 'node:timers/promises';

const MAX_BUSY_MS = 10;

/** The event loop belongs to the whole process, so this does too. */
let yieldedAt = 0;

/** Lets the event loop run, at most once every 10 ms; otherwise returns undefined. */
export function yieldIfBusy(): Promise<void> | undefined {
  if (performance.now() - yieldedAt < MAX_BUSY_MS) return undefined;
  return nextRound().then(() => {
    yieldedAt = performance.now();
  });
}
