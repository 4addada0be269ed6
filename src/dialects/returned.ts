/** Reads what a callback returned. */

import { plainCopy } from '../base/json/plain-copy.js';
import type { Dialect } from '../config/dialect.js';
import type { AnyEvent } from '../events/types.js';
import { followPromise } from '../handlers/background.js';
import type { Completion } from '../handlers/completion.js';
import { failed, NO_OPINION, type Verdict } from '../handlers/verdict.js';
import { noteDropped, readAnswer } from './answer.js';
import { readBackground } from './background.js';
import { readFlatAnswer } from './flat-answer.js';

/** The keys of an announcement; an answer beside them would be two answers. */
const ANNOUNCEMENT: ReadonlySet<string> = new Set(['async', 'asyncTimeout', 'result']);

type Returned = Extract<Completion, { kind: 'returned' }>;

/** Inspecting a foreign object may throw at any point, so all of it happens inside a try. */
export function interpretReturned(event: AnyEvent, returned: Returned, dialect: Dialect): Verdict {
  try {
    return read(event, returned, dialect);
  } catch {
    return failed('invalid-output', 'its answer cannot be read: a getter or proxy throws');
  }
}

function read(event: AnyEvent, returned: Returned, dialect: Dialect): Verdict {
  const { output } = returned;
  if (output === undefined || output === null) return NO_OPINION;
  if (typeof output !== 'object' || Array.isArray(output)) return noAnswer(output);
  return readFlatAnswer(event, output) ?? readObject(event, output, returned.work, dialect);
}

function noAnswer(output: unknown): Verdict {
  const kind = Array.isArray(output) ? 'an array' : `a ${typeof output}`;
  return failed('invalid-output', `it returned ${kind}; return an answer object, or nothing`);
}

/** The answer is copied first: later changes by the hook cannot affect what was read. */
function readObject(event: AnyEvent, output: object, work: Returned['work'], dialect: Dialect): Verdict {
  const answer = output as { async?: unknown; asyncTimeout?: unknown; result?: unknown };
  if (answer.async === true) {
    const { asyncTimeout, result } = answer;
    const rest = result as PromiseLike<unknown> | undefined;
    const beside = Object.keys(output).filter((key) => !ANNOUNCEMENT.has(key));
    const follow = rest === undefined ? undefined : followPromise(rest, () => work?.abort());
    return readBackground({ asyncTimeout, beside }, follow, dialect.async);
  }
  const copied = plainCopy(output);
  if (!copied.ok) return failed('invalid-output', `its answer cannot be used: ${copied.problem}`);
  return noteDropped(
    readAnswer(event, copied.value as Readonly<Record<string, unknown>>, dialect),
    copied.dropped,
  );
}
