/** Waits for the answers of functions, one after another: each until its deadline, or until its fire is ended. */
import { NO_INDEX } from '../../base/async/indexed-set.js';
import type { Cancellable, Cancellation } from '../../handlers/cancellation.js';
import { ABORTED, type Completion, thrownCompletion } from '../../handlers/completion.js';
import { startTiming, stopTiming, type Timed } from './turn-deadline.js';

/** The call of a function whose answer is waited for. */
export interface Call {
  readonly timeoutMs: number;
  /** Milliseconds. */
  timeLeft(): number;
  /** Tells the function that nobody waits for it any more. */
  abort(): void;
  /** Contract: called at most once, and never before `wait` has returned. */
  end(completion: Completion): void;
}

/**
 * One is enough for all calls of a fire that come one after another: it listens, keeps time and has its two handlers once
 * for all of them. Contract: `close` it at the end, and use it no more once it is `spent`.
 */
export class Waiting implements Timed, Cancellable {
  declare place: number;
  declare timer: NodeJS.Timeout | undefined;
  /** It has given up waiting: what is still to come answers a call that is already over. */
  declare spent: boolean;
  declare private readonly cancellation: Cancellation;
  declare private listening: boolean;
  /** What is waited for now. */
  declare private call: Call | undefined;
  declare private readonly onAnswer: (output: unknown) => void;
  declare private readonly onError: (error: unknown) => void;

  constructor(cancellation: Cancellation) {
    this.place = NO_INDEX;
    this.timer = undefined;
    this.spent = false;
    this.cancellation = cancellation;
    this.listening = false;
    this.call = undefined;
    this.onAnswer = (output) => {
      const { call } = this;
      if (call === undefined) ignoreRejection(output);
      else this.end(call, { kind: 'returned', output, work: call });
    };
    this.onError = (error) => {
      if (this.call !== undefined) this.end(this.call, thrownCompletion(error));
    };
  }

  /** Returns the end if there is nothing to wait for; else the call is told later. */
  wait(answer: Promise<unknown>, call: Call): Completion | undefined {
    // Two handlers at once: a rejection after the deadline is nobody's unhandled rejection.
    answer.then(this.onAnswer, this.onError);
    if (this.cancellation.cancelled) return this.giveUp(call);
    this.call = call;
    if (!this.listening) this.listen();
    if (this.place === NO_INDEX) startTiming(this);
    return undefined;
  }

  close(): void {
    stopTiming(this);
    if (this.listening) this.cancellation.remove(this);
  }

  timeLeft(): number | undefined {
    return this.call?.timeLeft();
  }

  onDeadline(): void {
    this.interrupt({ kind: 'timed-out', timeoutMs: this.call?.timeoutMs ?? 0 });
  }

  onCancel(): void {
    this.interrupt(ABORTED);
  }

  private listen(): void {
    this.listening = true;
    this.cancellation.add(this);
  }

  /** The hook has ended its own fire before its first await. */
  private giveUp(call: Call): Completion {
    this.spent = true;
    call.abort();
    return ABORTED;
  }

  private interrupt(completion: Completion): void {
    const { call } = this;
    if (call === undefined) return;
    this.spent = true;
    // Before the function hears of it: what it does then may end the fire, and come here again.
    this.call = undefined;
    call.abort();
    this.end(call, completion);
  }

  private end(call: Call, completion: Completion): void {
    this.call = undefined;
    if (this.timer !== undefined) stopTiming(this);
    call.end(completion);
  }
}

/** An answer that nobody reads may hold a promise that fails: that, too, is nobody's unhandled rejection. */
export function ignoreRejection(output: unknown): void {
  try {
    const rest = (output as { result?: PromiseLike<unknown> } | undefined)?.result;
    if (isThenable(rest)) rest.then(undefined, () => {});
  } catch {
    // It cannot even be looked at.
  }
}

const { then } = Promise.prototype;

/**
 * What can be waited for, if there is anything. All but a promise as it comes from the language is wrapped in one: it may
 * call back at once, twice or never, or throw.
 */
export function promiseOf(answer: unknown): Promise<unknown> | undefined {
  if (answer instanceof Promise && answer.then === then && answer.constructor === Promise) return answer;
  return isThenable(answer) ? new Promise((resolve) => resolve(answer)) : undefined;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}
