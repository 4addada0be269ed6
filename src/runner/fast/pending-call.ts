/** Waits for the promises of callbacks, one after another: each until its deadline or until its fire is aborted. */
import { NO_INDEX } from '../../base/async/indexed-set.js';
import type { Cancellable, Cancellation } from '../../handlers/cancellation.js';
import { ABORTED, type Completion, thrownCompletion } from '../../handlers/completion.js';
import { startTiming, stopTiming, type Timed } from './turn-deadline.js';

/** The call of a function whose answer is awaited. */
export interface Call {
  readonly timeoutMs: number;
  /** Milliseconds. */
  timeLeft(): number;
  /** Signals the function that its answer is no longer awaited. */
  abort(): void;
  /** Contract: called at most once, and never before `wait` has returned. */
  end(completion: Completion): void;
}

/** The one that was closed last: fires mostly follow one another, and creating the two handlers costs the most. */
let idle: PendingCall | undefined;

/** For the calls of one fire. Contract: as for the class. */
export function pendingCallFor(cancellation: Cancellation): PendingCall {
  const pendingCall = idle;
  if (pendingCall === undefined) return new PendingCall(cancellation);
  idle = undefined;
  pendingCall.cancellation = cancellation;
  return pendingCall;
}

/**
 * One object serves all sequential calls of a fire, and then those of another: its timer and its two handlers are
 * created once. Contract: `close` it at the end, and stop using it once it is `spent` or closed.
 */
export class PendingCall implements Timed, Cancellable {
  declare place: number;
  declare timer: NodeJS.Timeout | undefined;
  /** It stopped waiting: whatever settles now belongs to a call that is already over. */
  declare spent: boolean;
  declare cancellation: Cancellation;
  declare private listening: boolean;
  /** The call that is awaited now. */
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

  /** Returns the end if there is nothing to wait for; otherwise the call is notified later. */
  wait(answer: Promise<unknown>, call: Call): Completion | undefined {
    // Both handlers at once, so that a rejection after the deadline is not an unhandled rejection.
    answer.then(this.onAnswer, this.onError);
    if (this.cancellation.cancelled) return this.giveUp(call);
    this.call = call;
    if (!this.listening) this.listen();
    if (this.place === NO_INDEX) startTiming(this);
    return undefined;
  }

  /** A spent one is not used again: a promise that it no longer awaits may still settle. */
  close(): void {
    if (this.listening) this.cancellation.remove(this);
    this.listening = false;
    if (this.spent || idle !== undefined) stopTiming(this);
    else idle = this;
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

  /** The hook aborted its own fire before its first await. */
  private giveUp(call: Call): Completion {
    this.spent = true;
    call.abort();
    return ABORTED;
  }

  private interrupt(completion: Completion): void {
    const { call } = this;
    if (call === undefined) return;
    this.spent = true;
    // Before the function is notified: its reaction may abort the fire and come here again.
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

/** An answer that is not read may contain a promise that rejects: that must not be an unhandled rejection either. */
export function ignoreRejection(output: unknown): void {
  try {
    const rest = (output as { result?: PromiseLike<unknown> } | undefined)?.result;
    if (isThenable(rest)) rest.then(undefined, () => {});
  } catch {
    // It cannot even be inspected.
  }
}

const { then } = Promise.prototype;

/**
 * The promise to wait for, if there is one. Anything but a native promise is wrapped in one: it may call back at
 * once, twice or never, or throw.
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
