/** A hook that answered `async: true`: its dialect says whether the fire waits for the answer. */

import { escapeControls } from '../base/json/escape-controls.js';
import { canPrevent } from '../events/registry.js';
import { CANCELLED } from '../handlers/cancellation.js';
import type { Completion, Rewake } from '../handlers/completion.js';
import { failed, type Verdict } from '../handlers/verdict.js';
import type { Executed } from './fast/execute.js';
import type { Fire } from './fast/fire.js';
import { lateFields, withoutEffects } from './late.js';
import type { CompiledHook } from './registration/group.js';
import { toResult } from './result.js';

/** The parts of a hook's run that are needed here. */
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
  'it continues in the background, where its answer is not awaited, although it is set to block';

/** Contract: never rejects. */
export async function awaitBackground(
  run: Followed,
  completion: Completion,
  verdict: Verdict,
): Promise<Executed> {
  const { fire, hookId, name } = run;
  const work = verdict.background;
  const waits = run.hook.group.dialect.async.waits && work?.rewake === undefined;
  const rest = work?.follow ?? (completion.kind === 'detached' ? completion.follow : undefined);
  const isLost = refusesFailures(run.hook) && !(waits && rest !== undefined);
  if (work === undefined || isLost) {
    // It must not continue in the background, because the fire would not wait for its answer: it is ended here.
    await rest?.(1, CANCELLED);
    fire.readClock();
    return run.conclude(completion, work === undefined ? verdict : failed('invalid-output', NOBODY_WAITS));
  }
  if (rest === undefined) return run.conclude(completion, verdict);
  const { background, lifetime } = fire.host;
  const ended = rest(work.timeoutMs, waits ? fire.cancellation : lifetime);
  const kept = background.keep(
    ended.then((late) => (waits ? concludeLate(run, late) : deliverLate(run, late, work.rewake))),
  );
  if (waits) return kept;
  const completed = kept.then((late) => late.result);
  await background.roomFor(kept, fire.cancellation);
  const result = toResult(hookId, name, 0, completion, verdict, false);
  return { result, verdict, pending: { hookId, name, completion: completed } };
}

/**
 * Whether going to the background would disable a guard: the hook has `onFailure: 'block'` and its answer would not
 * be awaited.
 */
function refusesFailures({ onFailure, group }: CompiledHook): boolean {
  return onFailure === 'block' && canPrevent(group.event);
}

function concludeLate(run: Followed, late: Completion): Executed {
  const verdict = onlyOnce(run.interpret(late));
  run.fire.readClock();
  return run.conclude(late, verdict);
}

/** The fire is over, so the answer can only add information. */
async function deliverLate(run: Followed, late: Completion, rewake: Rewake | undefined): Promise<Executed> {
  const { fire, hookId, name } = run;
  const { event, agentId } = fire;
  const read = onlyOnce(run.interpret(late));
  const said = rewake === undefined ? undefined : rewakeText(late, rewake);
  // It has decided nothing, and was not meant to.
  const verdict = said === undefined ? withoutEffects(event, read) : { outcome: read.outcome };
  const from = { hookId, name, event, agentId };
  if (said === undefined) await fire.host.onLate({ ...from, ...lateFields(verdict) });
  else await fire.host.onRewake({ ...from, additionalContext: said }, rewake?.summary);
  fire.readClock();
  return run.conclude(late, verdict, false);
}

/** What wakes the agent; undefined if the hook has nothing to say. */
function rewakeText(late: Completion, { message }: Rewake): string | undefined {
  if (late.kind !== 'exited' || late.exitCode !== 2) return undefined;
  const output = escapeControls(late.stderr.trim() || late.stdout.trim());
  return [message, output].filter((text) => text).join('\n') || 'It exited with code 2 and printed nothing.';
}

/** The answer of a background hook cannot be `async: true` again: a guard that does this has not answered. */
function onlyOnce(verdict: Verdict): Verdict {
  if (verdict.background === undefined) return verdict;
  return failed('invalid-output', 'its background answer is `async: true` again');
}
