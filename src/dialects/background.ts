/** Reads "I go on in the background", which callbacks return and commands print. */
import type { Dialect } from '../config/dialect.js';
import { LONGEST_TIMER_MS } from '../config/timeout.js';
import type { Follow } from '../hooks/completion.js';
import { failed, NO_OPINION, type Verdict } from '../hooks/verdict.js';

export function readBackground(
  asyncTimeout: unknown,
  follow: Follow | undefined,
  async: Dialect['async'],
): Verdict {
  if (asyncTimeout !== undefined && !(typeof asyncTimeout === 'number' && asyncTimeout > 0)) {
    return failed('invalid-output', 'its `asyncTimeout` is not a positive number');
  }
  const timeoutMs = asyncTimeout === undefined ? async.defaultMs : Math.ceil(asyncTimeout * async.unitMs);
  if (timeoutMs > LONGEST_TIMER_MS)
    return failed('invalid-output', 'its `asyncTimeout` is too long for a timer');
  return { ...NO_OPINION, background: follow === undefined ? { timeoutMs } : { timeoutMs, follow } };
}
