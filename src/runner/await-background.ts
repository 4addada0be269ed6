/** A hook that answered "later": waited for, or left to itself, as its dialect says. */

import { canPrevent } from '../events/registry.js';
import { CANCELLED } from '../handlers/cancellation.js';
import type { Completion } from '../handlers/completion.js';
import { failed, type Verdict } from '../handlers/verdict.js';
import type { Executed } from './fast/execute.js';
import type { Fire } from './fast/fire.js';
import { onlyTells, toldBy } from './late.js';
import type { CompiledHook } from './registration/group.js';
import { toResult } from './result.js';

/** The run of the hook, as far as it matters here. */
export interface Followed {
  readonly hook: CompiledHook;
  readonly fire: Fire;
  readonly hookId: string;
  readonly name: string;
  interpret(completion: Completion): Verdict;
  /** With `refusing` false, a failure is only reported. */
  conclude(completion: Completion, verdict: Verdict, refusing?: boolean): Executed;
}

const NOBODY_WAITS =
  'it goes on in the background, where nobody waits for its answer, although it is set to block';

/** Contract: never rejects. */
export async function awaitBackground(
  run: Followed,
  completion: Completion,
  verdict: Verdict,
): Promise<Executed> {
  const { fire, hookId, name } = run;
  const { waits } = run.hook.group.dialect.async;
  const work = verdict.background;
  const rest = work?.follow ?? (completion.kind === 'detached' ? completion.follow : undefined);
  const isLost = refusesFailures(run.hook) && !(waits && rest !== undefined);
  if (work === undefined || isLost) {
    // It wanted to go to the background but must not: nobody would ever wait for it, so it is ended here.
    await rest?.(1, CANCELLED);
    fire.readClock();
    return run.conclude(completion, work === undefined ? verdict : failed('invalid-output', NOBODY_WAITS));
  }
  if (rest === undefined) return run.conclude(completion, verdict);
  const { background, lifetime } = fire.host;
  const ended = rest(work.timeoutMs, waits ? fire.cancellation : lifetime);
  const kept = background.keep(ended.then((late) => (waits ? concludeLate(run, late) : tellLate(run, late))));
  if (waits) return kept;
  const completed = kept.then((late) => late.result);
  await background.roomFor(kept, fire.cancellation);
  const result = toResult(hookId, name, 0, completion, verdict, false);
  return { result, verdict, pending: { hookId, name, completion: completed } };
}

/** Whether a hook that puts itself off where nobody waits for it would be a guard that is got rid of. */
function refusesFailures({ onFailure, group }: CompiledHook): boolean {
  return onFailure === 'block' && canPrevent(group.event);
}

function concludeLate(run: Followed, late: Completion): Executed {
  const verdict = onlyOnce(run.interpret(late));
  run.fire.readClock();
  return run.conclude(late, verdict);
}

/** Its fire has gone on: all it can still do is to tell something. */
async function tellLate(run: Followed, late: Completion): Promise<Executed> {
  const { fire, hookId, name } = run;
  const { event, agentId } = fire;
  const told = onlyTells(event, onlyOnce(run.interpret(late)));
  await fire.host.onLate({ hookId, name, event, agentId, ...toldBy(told) });
  fire.readClock();
  return run.conclude(late, told, false);
}

/** The rest of a hook cannot put itself off a second time: a guard that does has given no answer. */
function onlyOnce(verdict: Verdict): Verdict {
  if (verdict.background === undefined) return verdict;
  return failed('invalid-output', 'its answer was to come later, and puts itself off again');
}
