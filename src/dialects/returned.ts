/** Reads what a callback returned. */
import type { Dialect } from '../config/dialect.js';
import type { HookEvent } from '../events/types.js';
import { followPromise } from '../hooks/background.js';
import { failed, NO_OPINION, type Verdict } from '../hooks/verdict.js';
import { plainCopy } from '../json/plain-copy.js';
import { noteDropped, readAnswer } from './answer.js';
import { readBackground } from './background.js';

/** The answer is copied first: nothing that the hook keeps a hold of can change what was read. */
export function interpretReturned(event: HookEvent, output: unknown, async: Dialect['async']): Verdict {
  if (output === undefined || output === null) return NO_OPINION;
  if (typeof output !== 'object' || Array.isArray(output)) {
    const kind = Array.isArray(output) ? 'an array' : `a ${typeof output}`;
    return failed('invalid-output', `it returned ${kind}; return an answer object, or nothing`);
  }
  const later = readLater(output, async);
  if (later !== undefined) return later;
  const copied = plainCopy(output);
  if (!copied.ok) return failed('invalid-output', `its answer cannot be used: ${copied.problem}`);
  return noteDropped(readAnswer(event, copied.value as Readonly<Record<string, unknown>>), copied.dropped);
}

/** `{ async: true }`: the rest comes later. Looking at a stranger's object may throw, so it is done under guard. */
function readLater(output: object, async: Dialect['async']): Verdict | undefined {
  try {
    const answer = output as { async?: unknown; asyncTimeout?: unknown; result?: unknown };
    if (answer.async !== true) return undefined;
    const { asyncTimeout, result } = answer;
    const follow = result === undefined ? undefined : followPromise(Promise.resolve(result));
    return readBackground(asyncTimeout, follow, async);
  } catch {
    return failed('invalid-output', 'its answer cannot be read: a getter or proxy throws');
  }
}
