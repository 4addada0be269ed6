/** Runs one hook: the only step of a fire with effects. It ends with a result, whatever the hook does. */
import type { CompiledHook } from '../config/group.js';
import { messageOf, toError } from '../errors.js';
import { canPrevent } from '../events/schemas.js';
import type { HookEvent } from '../events/types.js';
import type { BackgroundSet } from '../hooks/background.js';
import { disown } from '../hooks/callback.js';
import { CANCELLED, type Cancellation } from '../hooks/cancellation.js';
import { ABORTED, type Completion } from '../hooks/completion.js';
import type { HookRun } from '../hooks/hook.js';
import { failed, type Verdict } from '../hooks/verdict.js';
import type { MessageStream } from '../messages/message-stream.js';
import { announceEnd, announceProgress, announceStart } from './announce.js';
import { type LateAnswer, onlyTells } from './late.js';
import type { HookResult, PendingHook } from './outcome.js';
import { toResult } from './result.js';
import type { Wire } from './wire.js';

/** Everything that the hooks of one fire have in common. */
export interface Fire {
  readonly event: HookEvent;
  /** What a hook without a name is called: the event and its subject. */
  readonly name: string;
  readonly sessionId: string;
  readonly toolUseID: string | undefined;
  readonly agentId: string | undefined;
  readonly depth: number;
  readonly maxDepth: number;
  readonly cancellation: Cancellation;
  readonly messages: MessageStream;
  readonly background: BackgroundSet;
  /** Ends what has outlived its fire: the runner's own cancellation. */
  readonly lifetime: Cancellation;
  /** The input as commands read it. */
  readonly wire: Wire;
  nextHookId(): string;
  /** Takes in what a hook in the background has to tell. */
  onLate(answer: LateAnswer): Promise<void>;
}

/** A hook that has run: what it came to, and what is still to come of it. */
export interface Executed {
  readonly result: HookResult;
  readonly verdict: Verdict;
  readonly pending?: PendingHook;
}

const NO_INPUT = Object.freeze({});

/** Contract: never rejects. */
export async function execute(
  hook: CompiledHook,
  input: Readonly<Record<string, unknown>>,
  fire: Fire,
): Promise<Executed> {
  const hookId = fire.nextHookId();
  const name = hook.name ?? fire.name;
  const watched = fire.messages.watched;
  let ended = false;
  const started = performance.now();
  if (watched) announceStart(fire, hookId, name);

  const conclude = (completion: Completion, verdict: Verdict, refusing = refuses(hook)): Executed => {
    ended = true;
    const durationMs = performance.now() - started;
    const result = toResult(hookId, name, durationMs, completion, verdict, refusing);
    if (watched) announceEnd(fire, result, completion);
    return { result, verdict };
  };

  const run = {
    event: fire.event,
    input,
    toolUseID: fire.toolUseID,
    agentId: fire.agentId,
    hookId,
    name,
    timeoutMs: hook.timeoutMs,
    cancellation: fire.cancellation,
    depth: fire.depth,
    maxDepth: fire.maxDepth,
    watched,
    wire: (): Uint8Array => fire.wire(input, hook.group.dialect),
    onProgress: (stdout: string, stderr: string): void => {
      if (watched && !ended) announceProgress(fire, hookId, name, stdout, stderr);
    },
  };
  const completion = onTime(await runGuarded(hook, run), started, hook.timeoutMs);
  const verdict = interpret(hook, fire, completion, input);
  if (verdict.background === undefined) {
    // It wanted to go to the background but must not: nobody would ever wait for it, so it is ended here.
    if (completion.kind === 'detached') await completion.follow(1, CANCELLED);
    return conclude(completion, verdict);
  }
  return follow(hook, input, fire, completion, verdict, conclude, { hookId, name });
}

/** A hook that is not started because the fire was ended before. A guard that did not run is a guard that failed. */
export function leaveOut(hook: CompiledHook, fire: Fire): Executed {
  const verdict = interpret(hook, fire, ABORTED, NO_INPUT);
  return {
    result: toResult(fire.nextHookId(), hook.name ?? fire.name, 0, ABORTED, verdict, refuses(hook)),
    verdict,
  };
}

/** A hook that has gone to the background: waited for, or left to itself, as its dialect says. */
async function follow(
  hook: CompiledHook,
  input: Readonly<Record<string, unknown>>,
  fire: Fire,
  completion: Completion,
  verdict: Verdict,
  conclude: (completion: Completion, verdict: Verdict, refusing?: boolean) => Executed,
  { hookId, name }: { hookId: string; name: string },
): Promise<Executed> {
  const { dialect } = hook.group;
  const work = verdict.background;
  if (work?.follow === undefined) return conclude(completion, verdict);
  const { waits } = dialect.async;
  const rest = work.follow(work.timeoutMs, waits ? fire.cancellation : fire.lifetime);
  const kept = fire.background.keep(
    rest.then(async (late) => {
      const answer = onlyOnce(interpret(hook, fire, late, input));
      if (waits) return conclude(late, answer);
      const told = onlyTells(fire.event, answer);
      await fire.onLate({ hookId, name, event: fire.event, agentId: fire.agentId, ...toldBy(told) });
      return conclude(late, told, false);
    }),
  );
  if (waits) return kept;
  const completed = kept.then((late) => late.result);
  await fire.background.roomFor(kept, fire.cancellation);
  const result = toResult(hookId, name, 0, completion, verdict, false);
  return { result, verdict, pending: { hookId, name, completion: completed } };
}

/** Kinds of hooks promise never to throw; one that does all the same is a hook that threw. */
async function runGuarded(hook: CompiledHook, run: HookRun): Promise<Completion> {
  try {
    const answered = hook.run(run);
    return answered instanceof Promise ? await answered : answered;
  } catch (error) {
    return { kind: 'threw', error: toError(error) };
  }
}

/** A dialect may come from anywhere: one that throws has not understood the answer. */
function interpret(
  hook: CompiledHook,
  fire: Fire,
  completion: Completion,
  input: Readonly<Record<string, unknown>>,
): Verdict {
  try {
    return hook.group.dialect.interpret(fire.event, completion, input);
  } catch (error) {
    return failed('invalid-output', `its answer cannot be read: ${messageOf(error)}`);
  }
}

/** An answer that was late because the hook held up the whole process is late all the same. */
function onTime(completion: Completion, started: number, timeoutMs: number): Completion {
  if (completion.kind !== 'returned' || performance.now() - started <= timeoutMs) return completion;
  completion.abort?.();
  disown(completion.output);
  return { kind: 'timed-out', timeoutMs };
}

/** The rest of a hook cannot put itself off a second time: a guard that does has given no answer. */
function onlyOnce(verdict: Verdict): Verdict {
  if (verdict.background === undefined) return verdict;
  return failed('invalid-output', 'its answer was to come later, and puts itself off again');
}

function toldBy({ additionalContext, systemMessage }: Verdict): Partial<LateAnswer> {
  return {
    ...(additionalContext !== undefined && { additionalContext }),
    ...(systemMessage !== undefined && { systemMessage }),
  };
}

function refuses(hook: CompiledHook): boolean {
  return hook.onFailure === 'block' && canPrevent(hook.group.event);
}
