/** Runs one hook: the only step of a fire with side effects. It always ends with a result. */

import { messageOf } from '../../base/errors.js';
import { canPrevent } from '../../events/registry.js';
import type { AnyEvent } from '../../events/types.js';
import type { Cancellation } from '../../handlers/cancellation.js';
import { ABORTED, type Completion, thrownCompletion } from '../../handlers/completion.js';
import type { HookRun, RunHook, StartCheck } from '../../handlers/hook.js';
import { failed, type Verdict } from '../../handlers/verdict.js';
import { announceEnd, announceProgress, announceStart, announceStatus } from '../announce.js';
import { awaitBackground, type Followed } from '../await-background.js';
import type { HookResult, PendingHook } from '../outcome.js';
import type { CompiledHook } from '../registration/group.js';
import { refusesByItself, toResult } from '../result.js';
import { type DirectRun, type SequenceContext, startCallback } from './callback.js';
import type { Fire } from './fire.js';
import { ignoreRejection } from './pending-call.js';

type Input = Readonly<Record<string, unknown>>;

/** A hook that has run: its result, and its background work if there is any. */
export interface Executed {
  readonly result: HookResult;
  readonly verdict: Verdict;
  readonly pending?: PendingHook | undefined;
}

/** Is notified of the result of a hook that did not end at once. */
export interface ExecutionListener extends SequenceContext {
  onExecuted(executed: Executed): void;
}

const NO_INPUT = Object.freeze({});

/**
 * Returns the result of the hook; or undefined, and then notifies the listener later. Most hooks are functions that
 * return at once and need no waiting. The hook's time starts when the fire last read the clock. Contract: never
 * throws.
 */
export function runHook(
  hook: CompiledHook,
  input: Input,
  fire: Fire,
  listener: ExecutionListener,
): Executed | undefined {
  const run = new HookExecution(hook, input, fire, listener);
  return run.watched ? run.startWatched() : run.start();
}

/**
 * The result of a hook that is not started because the fire was aborted before. A guard that did not run counts as
 * failed.
 */
export function skipHook(hook: CompiledHook, fire: Fire): Executed {
  const verdict = interpret(hook, fire, ABORTED, NO_INPUT);
  const name = hook.name ?? fire.name;
  const refusing = refuses(hook, ABORTED);
  const result = toResult(fire.host.nextHookId(), name, 0, ABORTED, verdict, refusing);
  return { result, verdict };
}

/**
 * One run of one hook: its context, the steps from its end to its result, and the result itself. It is one object
 * whose fields are only declared, because there is one for every hook of every fire and a field with an initialiser
 * is written twice.
 */
class HookExecution implements DirectRun, Followed, Executed {
  declare readonly hook: CompiledHook;
  declare readonly fire: Fire;
  declare readonly input: Input;
  declare readonly hookId: string;
  declare readonly name: string;
  declare readonly watched: boolean;
  declare result: HookResult;
  declare verdict: Verdict;
  declare private readonly listener: ExecutionListener;
  declare private readonly startedAt: number;
  declare private ended: boolean;
  /** Created only for callbacks that read their signal: most do not, and creating it costs more than the whole fire. */
  declare private controller: AbortController | undefined;
  declare private aborted: boolean | undefined;

  constructor(hook: CompiledHook, input: Input, fire: Fire, listener: ExecutionListener) {
    this.hook = hook;
    this.fire = fire;
    this.listener = listener;
    this.input = input;
    this.hookId = fire.host.nextHookId();
    this.name = hook.name ?? fire.name;
    this.watched = fire.host.messages.watched;
    this.startedAt = fire.now;
    this.ended = false;
  }

  get event(): AnyEvent {
    return this.fire.event;
  }

  get toolUseID(): string | undefined {
    return this.fire.toolUseID;
  }

  get agentId(): string | undefined {
    return this.fire.agentId;
  }

  get timeoutMs(): number {
    return this.hook.timeoutMs;
  }

  get cancellation(): Cancellation {
    return this.fire.cancellation;
  }

  get depth(): number {
    return this.fire.depth;
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.aborted) this.controller.abort();
    return this.controller.signal;
  }

  wire(): Uint8Array {
    return this.fire.wire(this.input, this.hook.group.dialect);
  }

  get onProgress(): HookRun['onProgress'] {
    return (stdout, stderr) => {
      if (this.watched && !this.ended) announceProgress(this.fire, this.hookId, this.name, stdout, stderr);
    };
  }

  timeLeft(): number {
    return this.hook.timeoutMs - (this.fire.readClock() - this.startedAt);
  }

  abort(): void {
    this.aborted = true;
    this.controller?.abort();
  }

  startWatched(): Executed | undefined {
    const { fire, hookId: id, name } = this;
    announceStart(fire, id, name);
    if (this.hook.statusMessage !== undefined) announceStatus(fire, id, name, this.hook.statusMessage);
    const { messages } = fire.host;
    if (messages.within === undefined) return this.start();
    const { kind, origin } = this.hook;
    const hook = {
      id,
      name,
      kind,
      ...(origin !== undefined && { origin: { description: origin.description, source: origin.source } }),
    };
    return messages.within(hook, () => this.start());
  }

  start(): Executed | undefined {
    if (this.hook.check !== undefined) return this.startChecked(this.hook.check);
    const completion = this.call();
    return completion === undefined ? undefined : this.finish(completion);
  }

  /**
   * Undefined: the run is notified of its end later. Handler kinds promise never to throw; if one does, the hook
   * counts as having thrown.
   */
  private call(): Completion | undefined {
    const { callback } = this.hook;
    return callback === undefined ? this.callKind() : startCallback(callback, this, this.listener);
  }

  private callKind(): Completion | undefined {
    try {
      const answered = (this.hook.run as RunHook)(this);
      if (!(answered instanceof Promise)) return answered;
      answered.catch(thrownCompletion).then((completion) => this.end(completion));
      return undefined;
    } catch (error) {
      return thrownCompletion(error);
    }
  }

  private startChecked(check: StartCheck): undefined {
    Promise.resolve(check(this)).then((refusal) => {
      const completion = refusal ?? this.call();
      if (completion !== undefined) this.end(completion);
    });
  }

  end(completion: Completion): void {
    const executed = this.finish(completion);
    if (executed !== undefined) this.listener.onExecuted(executed);
  }

  /** Undefined: the hook continues in the background, and the listener is notified later. */
  private finish(ended: Completion): Executed | undefined {
    const { fire } = this;
    fire.readClock();
    const completion = fire.now - this.startedAt > this.hook.timeoutMs ? tooLate(ended, this.hook) : ended;
    const verdict = this.interpret(completion);
    if (verdict.background === undefined && completion.kind !== 'detached')
      return this.conclude(completion, verdict);
    this.goOn(completion, verdict);
    return undefined;
  }

  interpret(completion: Completion): Verdict {
    return interpret(this.hook, this.fire, completion, this.input);
  }

  conclude(
    completion: Completion,
    verdict: Verdict,
    refusing = verdict.failure !== undefined && refuses(this.hook, completion),
  ): Executed {
    this.ended = true;
    this.verdict = verdict;
    const durationMs = this.fire.now - this.startedAt;
    this.result = toResult(this.hookId, this.name, durationMs, completion, verdict, refusing);
    if (this.watched) announceEnd(this.fire, this.result, completion);
    return this;
  }

  private async goOn(completion: Completion, verdict: Verdict): Promise<void> {
    const executed = await awaitBackground(this, completion, verdict);
    this.fire.readClock();
    this.listener.onExecuted(executed);
  }
}

/** A dialect may be foreign code: if it throws, the answer counts as unreadable. */
function interpret(hook: CompiledHook, fire: Fire, completion: Completion, input: Input): Verdict {
  try {
    const verdict = hook.group.dialect.interpret(fire.event, completion, input);
    return hook.group.last && verdict.updatedInput !== undefined ? withoutRewrite(verdict) : verdict;
  } catch (error) {
    return failed('invalid-output', `its answer cannot be read: ${messageOf(error)}`);
  }
}

/** The other guards have already checked the input as it is. */
function withoutRewrite({ updatedInput: _, ...verdict }: Verdict): Verdict {
  if (verdict.decision === 'deny') return verdict;
  return failed('invalid-output', 'it rewrites the input, which a hook of a group with `last` cannot');
}

/** An answer that came late because the hook blocked the event loop is still late. */
function tooLate(completion: Completion, { timeoutMs }: CompiledHook): Completion {
  if (completion.kind !== 'returned') return completion;
  completion.work?.abort();
  ignoreRejection(completion.output);
  return { kind: 'timed-out', timeoutMs };
}

function refuses(hook: CompiledHook, completion: Completion): boolean {
  if (hook.onFailure !== 'block' && !refusesByItself(completion)) return false;
  return canPrevent(hook.group.event);
}
