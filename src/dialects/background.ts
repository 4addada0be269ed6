/** Reads the announcement of background work that callbacks return and commands print. */

import { MAX_TIMER_MS } from '../base/async/timeout.js';
import type { Dialect } from '../config/dialect.js';
import type { Announcement, Follow } from '../handlers/completion.js';
import { failed, NO_OPINION, type Verdict } from '../handlers/verdict.js';

/**
 * A guard that announces background work and decides at the same time must not be ignored: two answers are a failure.
 */
export function readBackground(
  { asyncTimeout, ownTimeoutMs, beside = [], rewake }: Announcement,
  follow: Follow | undefined,
  async: Dialect['async'],
): Verdict {
  if (beside.length > 0) {
    const both = `it says \`async\` and ${beside.join(', ')} at once; give the answer when it is ready`;
    return failed('invalid-output', both);
  }
  if (asyncTimeout !== undefined && !(typeof asyncTimeout === 'number' && asyncTimeout > 0)) {
    return failed('invalid-output', 'its `asyncTimeout` is not a positive number');
  }
  const announced = asyncTimeout === undefined ? undefined : Math.ceil(asyncTimeout * async.unitMs);
  const timeoutMs = announced ?? ownTimeoutMs ?? async.defaultMs;
  if (timeoutMs > MAX_TIMER_MS) return failed('invalid-output', 'its `asyncTimeout` is too long for a timer');
  const background = { timeoutMs, ...(follow && { follow }), ...(rewake && { rewake }) };
  return { ...NO_OPINION, background };
}
