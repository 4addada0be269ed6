/** How the default dialect reads the end of a run: JSON or nothing; anything else is a failure. */
import type { Dialect } from '../../config/dialect.js';
import type { HookEvent } from '../../events/types.js';
import type { Completion } from '../../hooks/completion.js';
import { failed, NO_OPINION, type Verdict } from '../../hooks/verdict.js';
import { plainCopy } from '../../json/plain-copy.js';
import { readAnswer } from '../answer.js';
import { interpretFault } from '../fault.js';

export function interpret(this: Dialect, event: HookEvent, completion: Completion): Verdict {
  if (completion.kind !== 'returned') return interpretFault(completion);
  return interpretReturned(event, completion.output, this.async);
}

/** Reads what a callback returned. It is copied first: nothing it keeps a hold of can change what was read. */
export function interpretReturned(event: HookEvent, output: unknown, async: Dialect['async']): Verdict {
  if (output === undefined || output === null) return NO_OPINION;
  if (typeof output !== 'object' || Array.isArray(output)) {
    const kind = Array.isArray(output) ? 'an array' : `a ${typeof output}`;
    return failed('invalid-output', `it returned ${kind}; return an answer object, or nothing`);
  }
  const background = readBackground(output, async);
  if (background !== undefined) return background;
  const copied = plainCopy(output);
  if (!copied.ok) return failed('invalid-output', `its answer cannot be used: ${copied.problem}`);
  const verdict = readAnswer(event, copied.value as Readonly<Record<string, unknown>>);
  if (copied.dropped === undefined) return verdict;
  const dropped = copied.dropped.map((key) => `dangerous key \`${key}\` is dropped`);
  return { ...verdict, notes: [...(verdict.notes ?? []), ...dropped] };
}

/** `{ async: true }`: the rest comes later. Looking at a stranger's object may throw, so it is done under guard. */
function readBackground(output: object, async: Dialect['async']): Verdict | undefined {
  try {
    const answer = output as { async?: unknown; asyncTimeout?: unknown; result?: unknown };
    if (answer.async !== true) return undefined;
    const { asyncTimeout = undefined, result = undefined } = answer;
    if (asyncTimeout !== undefined && !(typeof asyncTimeout === 'number' && asyncTimeout > 0)) {
      return failed('invalid-output', 'its `asyncTimeout` is not a positive number');
    }
    const timeoutMs = asyncTimeout === undefined ? async.defaultMs : Math.ceil(asyncTimeout * async.unitMs);
    if (timeoutMs > 2 ** 31 - 1)
      return failed('invalid-output', 'its `asyncTimeout` is too long for a timer');
    if (result === undefined) return { ...NO_OPINION, background: { timeoutMs } };
    return { ...NO_OPINION, background: { timeoutMs, output: Promise.resolve(result) } };
  } catch {
    return failed('invalid-output', 'its answer cannot be read: a getter or proxy throws');
  }
}
